#include <fmt/format.h>
#include <algorithm>

#include <boost/crc.hpp>

#include "fuzz/input_file.hpp"
#include "verify/journal.hpp"

// As it stands where the first byte is odd; else each line gets the checksum that fits.
FUZZ_TARGET(journal) {
    std::string text;
    if (!input.empty() && input.front() % 2 == 0) {
        text = R"({"seed":1,"tier":"quick","program":"p"})"
               "\n";
        text += input.substr(1);
        boost::crc_32_type crc;
        std::string sealed;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view line(text.data() + begin, end - begin);
            crc.process_bytes(line.data(), line.size());
            sealed += fmt::format("{} {:08x}\n", line, crc.checksum());
            begin = end + 1;
        }
        text = std::move(sealed);
    } else {
        text = input;
    }
    const assay::verify::Journal journal(fuzz::input_file("journal", text), {1, "quick", "p"},
                                         true);
    static_cast<void>(journal.finished("row", 0));
}
