#include "assay/datasets/text_source.hpp"

#include <algorithm>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20U;
constexpr std::size_t first_room = std::size_t{1} << 16U;

}  // namespace

TextSource::TextSource(const std::filesystem::path& path) : bytes_(path), buffer_(first_room) {}

void TextSource::refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), longest_line + 1));
    const std::size_t room = buffer_.size() - end_;
    const std::size_t got = bytes_.read(std::span(buffer_).subspan(end_, room));
    end_ += got;
    at_end_ = got < room;
}

bool TextSource::next(std::string_view& line) {
    std::size_t searched = 0;
    for (;;) {
        const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
        const std::size_t found = rest.find('\n', searched);
        if (found == std::string_view::npos && !at_end_) {
            if (rest.size() > longest_line)
                throw FileError(bytes_.name(),
                                static_cast<int>(std::min<std::int64_t>(
                                    line_ + 1, std::numeric_limits<int>::max())),
                                "this line is longer than 1 MiB");
            searched = rest.size();
            refill();
            continue;
        }
        if (found == std::string_view::npos && rest.empty()) return false;
        line = rest.substr(0, found);
        begin_ += found == std::string_view::npos ? rest.size() : found + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++line_;
        return true;
    }
}

std::size_t split_fields(std::string_view line, char separator,
                         std::span<std::string_view> fields) {
    std::size_t count = 0;
    for (;;) {
        const std::size_t end = line.find(separator);
        if (count < fields.size()) fields[count] = line.substr(0, end);
        ++count;
        if (end == std::string_view::npos) return count;
        line.remove_prefix(end + 1);
    }
}

}  // namespace assay
