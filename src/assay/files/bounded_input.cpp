#include "assay/files/bounded_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

std::string size_text(std::size_t bytes) {
    constexpr std::size_t mebibyte = std::size_t{1} << 20U;
    return fmt::format("more than {} MiB, the most that is read", bytes / mebibyte);
}

}  // namespace

std::string too_long(std::size_t most) {
    return "the line has " + size_text(most);
}

bool read_line(std::istream& in, std::string& line, std::size_t most) {
    line.clear();
    constexpr std::size_t chunk = 4096;
    char part[chunk];
    std::size_t read = 0;
    while (in.getline(part, chunk), in.gcount() > 0) {
        const bool is_cut = in.fail() && !in.eof();  // the part is full, and the line goes on
        const bool has_end = !in.fail() && !in.eof();
        const auto length = static_cast<std::size_t>(in.gcount()) - (has_end ? 1U : 0U);
        read += length;
        if (read > longest_line) throw Error(too_long(longest_line));
        line.append(part, std::min(length, most + 1 - line.size()));
        in.clear(in.rdstate() & ~std::ios::failbit);
        if (!is_cut) return true;
    }
    return false;
}

std::string read_file_of_at_most(const std::filesystem::path& path, std::size_t most) {
    std::ifstream file = open_file(path);
    std::string content;
    constexpr std::size_t chunk = std::size_t{1} << 16U;
    while (file && content.size() <= most) {
        const std::size_t before = content.size();
        content.resize(before + chunk);
        file.read(content.data() + before, static_cast<std::streamsize>(chunk));
        content.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (content.size() > most) throw FileError(path.string(), 0, "has " + size_text(most));
    if (file.bad()) throw FileError(path.string(), 0, "cannot be read to its end");
    return content;
}

}  // namespace assay
