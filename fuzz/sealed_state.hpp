#pragma once
#include <boost/crc.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// The input as a state file (assay/files/state_file.hpp): as it stands where its first byte is
/// odd; else as the content behind a header whose length and checksums fit, so that what reads the
/// content is reached.
inline std::string sealed_state(std::string_view first_line, std::string_view input) {
    if (input.empty() || input.front() % 2 != 0)
        return std::string(input.substr(input.empty() ? 0 : 1));
    const std::string_view content = input.substr(1);
    const auto checksum = [](std::string_view bytes) {
        boost::crc_32_type crc;
        crc.process_bytes(bytes.data(), bytes.size());
        return static_cast<std::uint32_t>(crc.checksum());
    };
    std::string file(first_line);
    const auto append = [&](auto number) {
        file.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    append(std::uint64_t{content.size()});
    append(checksum(content));
    append(checksum(file));
    return file.append(content);
}

}  // namespace fuzz
