#include "assay/files/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/crc.hpp>
#include <fstream>
#include <iterator>
#include <optional>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

static_assert(std::endian::native == std::endian::little, "states are written little endian");

constexpr std::string_view magic = "assay ";
constexpr std::size_t longest_first_line = 80;
/// Behind the first line: the length of the content, its checksum, that of the header.
constexpr std::size_t sizes = sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);

std::uint32_t checksum(std::string_view bytes) {
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

template <class Number>
void append_number(std::string& text, Number value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Number>
Number number_at(std::string_view text, std::size_t at) {
    Number value{};
    std::memcpy(&value, text.data() + at, sizeof value);
    return value;
}

std::string first_line(const StateFormat& format) {
    return fmt::format("{}{} {}\n", magic, format.kind, format.version);
}

struct FirstLine {
    std::string kind;
    std::int64_t version = 1;  // adaptive estimators had a line without one
};

/// The first line of any state, with its end, or nothing.
std::optional<FirstLine> read_first_line(std::string_view line) {
    if (!line.starts_with(magic) || !line.ends_with('\n')) return std::nullopt;
    line = line.substr(magic.size(), line.size() - magic.size() - 1);
    FirstLine found;
    if (const std::size_t blank = line.rfind(' '); blank != line.npos)
        if (const auto version = read_integer<std::int64_t>(line.substr(blank + 1))) {
            found.version = *version;
            line = line.substr(0, blank);
        }
    found.kind = line;
    const auto in_word = [](char c) { return (c >= 'a' && c <= 'z') || c == ' '; };
    if (line.empty() || !std::ranges::all_of(line, in_word)) return std::nullopt;
    return found;
}

/// All of a file that begins as a state does; of another one, which may have no end, its beginning.
std::string text_of(const std::filesystem::path& path) {
    std::ifstream file = open_file(path);
    std::string text(longest_first_line, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (!text.starts_with(magic)) return text;
    text.append(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) throw FileError(path.string(), 0, "cannot be read to its end");
    return text;
}

/// Where the content of a state begins; FileError unless all of it is there as it was written.
std::size_t content_begin(const std::string& file, std::string_view text,
                          const StateFormat& format) {
    const auto fail = [&](const std::string& message) { throw FileError(file, 0, message); };
    const std::string expected = first_line(format);
    const std::string_view line = text.substr(0, std::min(text.find('\n'), longest_first_line) + 1);
    if (!text.empty() && text.size() < expected.size() && expected.starts_with(text))
        fail(fmt::format("this {} is cut short in its first line", format.kind));
    const std::optional<FirstLine> found = read_first_line(line);
    if (!found) fail(fmt::format("this is no {} of assay", format.kind));
    if (found->kind != format.kind)
        fail(fmt::format("this is no {} of assay but another kind of state: {}", format.kind,
                         found->kind));
    if (line != expected)
        fail(fmt::format("this {} is of version {}, this program reads version {}", format.kind,
                         found->version, format.version));
    const std::size_t begin = line.size() + sizes;
    if (text.size() < begin) fail(fmt::format("this {} is cut short in its header", format.kind));
    const auto damaged = [&](std::string_view reason) {
        fail(fmt::format("this {} is damaged: {}", format.kind, reason));
    };
    const std::size_t checked = begin - sizeof(std::uint32_t);
    if (number_at<std::uint32_t>(text, checked) != checksum(text.substr(0, checked)))
        damaged("the checksum of its header does not fit");
    const auto length = number_at<std::uint64_t>(text, line.size());
    const std::string_view content = text.substr(begin);
    if (content.size() < length)
        fail(fmt::format("this {} is cut short: {} of {} bytes", format.kind, content.size(),
                         length));
    if (content.size() > length) damaged("it goes on behind its end");
    if (number_at<std::uint32_t>(text, line.size() + sizeof(length)) != checksum(content))
        damaged("its checksum does not fit");
    return begin;
}

}  // namespace

StateWriter::StateWriter(const StateFormat& format, const RunIdentity& identity)
    : header_(first_line(format)) {
    number(std::uint64_t{identity.size()});
    for (const RunField& field : identity) {
        require_readable(field);
        numbers(field.name);
        numbers(field.value);
    }
}

void StateWriter::append(const void* data, std::size_t bytes) {
    content_.append(static_cast<const char*>(data), bytes);
}

void StateWriter::write(const std::filesystem::path& path) const {
    std::string header = header_;
    append_number(header, std::uint64_t{content_.size()});
    append_number(header, checksum(content_));
    append_number(header, checksum(header));
    write_file_atomically(path, {header, content_});
}

StateReader::StateReader(const std::filesystem::path& path, const StateFormat& format)
    : file_(path.string()),
      kind_(format.kind),
      text_(text_of(path)),
      next_(content_begin(file_, text_, format)) {
    const auto word = [&] {
        const std::vector<char> characters = numbers<char>();
        return std::string(characters.begin(), characters.end());
    };
    for (auto fields = number<std::uint64_t>(); fields > 0; --fields) {
        std::string name = word();
        identity_.push_back({std::move(name), word()});
    }
}

std::string_view StateReader::taken(std::uint64_t count, std::size_t size) {
    if (count > (text_.size() - next_) / size) refuse("its content does not fit its kind");
    const std::string_view bytes =
        std::string_view(text_).substr(next_, static_cast<std::size_t>(count) * size);
    next_ += bytes.size();
    return bytes;
}

void StateReader::require_end() const {
    if (next_ != text_.size()) refuse("its content does not fit its kind");
}

void StateReader::refuse(std::string_view reason) const {
    throw FileError(file_, 0, fmt::format("this {} is damaged: {}", kind_, reason));
}

void require_same_run(const std::filesystem::path& path, const RunIdentity& there,
                      const RunIdentity& here) {
    const std::string found = differences(there, here);
    if (!found.empty()) throw FileError(path.string(), 0, "this is of another run: " + found);
}

}  // namespace assay
