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

bool read_line(std::istream& in, std::string& line, std::size_t most) {
    line.clear();
    constexpr std::size_t chunk = 4096;
    char part[chunk];
    while (in.getline(part, chunk), in.gcount() > 0) {
        const bool is_cut = in.fail() && !in.eof();  // the part is full, and the line goes on
        const bool has_end = !in.fail() && !in.eof();
        const auto length = static_cast<std::size_t>(in.gcount()) - (has_end ? 1U : 0U);
        if (line.size() + length > most) throw Error("the line has " + size_text(most));
        line.append(part, length);
        if (!is_cut) {
            in.clear(in.rdstate() & ~std::ios::failbit);
            return true;
        }
        in.clear(in.rdstate() & ~std::ios::failbit);
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
