#include "assay/monte_carlo/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::string_view magic = "assay checkpoint ";
constexpr std::string_view format = "1";
constexpr std::string_view end_mark = "end ";
constexpr std::size_t end_length = 4 + 8 + 1;  // "end ", eight hexadecimal digits, a line end

std::string checksum(std::string_view text) {
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return fmt::format("{:08x}", crc.checksum());
}

std::string text_of(const Checkpoint& checkpoint) {
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{}{}\n", magic, format);
    for (const RunField& field : checkpoint.identity) {
        require_readable(field);
        fmt::format_to(out, "{} {}\n", field.name, field.value);
    }
    fmt::format_to(out, "\nblocks {}\nsums {}\npart {}\n", checkpoint.shape.blocks,
                   checkpoint.shape.sums, to_string(checkpoint.part));
    for (const auto& [group, sums] : checkpoint.groups) {
        fmt::format_to(out, "{}", group);
        for (const double sum : sums) fmt::format_to(out, " {:a}", sum);
        fmt::format_to(out, "\n");
    }
    fmt::format_to(out, "{}{}\n", end_mark, checksum(text));
    return text;
}

/// The lines of a checkpoint whose checksum is right: what does not parse was not written by us.
class Reader {
public:
    Reader(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    std::string_view line() {
        ++number_;
        const std::size_t length = std::min(rest_.find('\n'), rest_.size());
        const std::string_view line = rest_.substr(0, length);
        rest_.remove_prefix(std::min(length + 1, rest_.size()));
        return line;
    }
    /// The value of a line "name value".
    std::string_view value(std::string_view name) {
        std::string_view text = line();
        if (word(text) != name) fail(fmt::format("a line of {} is expected", name));
        return text;
    }
    /// Cuts the first word off.
    static std::string_view word(std::string_view& text) {
        const std::size_t length = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, length);
        text.remove_prefix(std::min(length + 1, text.size()));
        return word;
    }
    template <class Integer>
    Integer integer(std::string_view text) const {
        Integer value{};
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure != std::errc{} || end != text.data() + text.size())
            fail(fmt::format("{} is no count", text));
        return value;
    }
    [[nodiscard]] double number(std::string_view text) const {
        const bool is_negative = text.starts_with('-');
        std::string_view digits = text.substr(is_negative ? 1 : 0);
        if (digits.starts_with("0x")) digits.remove_prefix(2);
        double value = 0.0;
        const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                    value, std::chars_format::hex);
        if (failure != std::errc{} || end != digits.data() + digits.size() || std::isnan(value))
            fail(fmt::format("{} is no number", text));
        return is_negative ? -value : value;
    }
    [[noreturn]] void fail(const std::string& message) const {
        throw FileError(file_, number_, message);
    }

private:
    std::string file_;
    std::string_view rest_;
    int number_ = 0;
};

void read_group(Reader& reader, Checkpoint& checkpoint) {
    std::string_view line = reader.line();
    const auto group = reader.integer<std::uint64_t>(Reader::word(line));
    std::vector<double> sums;
    while (!line.empty()) sums.push_back(reader.number(Reader::word(line)));
    if (group >= checkpoint.shape.groups() || sums.size() != checkpoint.shape.sums)
        reader.fail(fmt::format("{} sums of group {} do not fit the run", sums.size(), group));
    if (!checkpoint.groups.emplace(group, std::move(sums)).second)
        reader.fail(fmt::format("group {} stands here twice", group));
}

/// "group 7" or "groups 7 to 9", counted from 0.
std::string range_text(const GroupRange& range) {
    return range.size() == 1 ? fmt::format("group {}", range.first)
                             : fmt::format("groups {} to {}", range.first, range.last - 1);
}

void require_complete(const Checkpoint& merged, Part part) {
    GroupRange gap;
    while (merged.groups.contains(gap.first)) ++gap.first;
    if (gap.first == merged.shape.groups()) return;
    gap.last = gap.first + 1;
    while (gap.last < merged.shape.groups() && !merged.groups.contains(gap.last)) ++gap.last;
    while (rank_range(merged.shape.groups(), part).last <= gap.first) ++part.index;
    throw Error(fmt::format("shard {} is missing or unfinished: {} of {} in none of the files",
                            to_string(part), range_text(gap), merged.shape.groups()));
}

/// Every difference between two runs, empty for one and the same.
std::string run_differences(const Checkpoint& there, const Checkpoint& here) {
    std::string found = differences(there.identity, here.identity);
    // Equal parameters cut alike, unless the files come from different versions.
    if (found.empty() && there.shape != here.shape)
        found = fmt::format("{} blocks of {} sums there, {} of {} here", there.shape.blocks,
                            there.shape.sums, here.shape.blocks, here.shape.sums);
    return found;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    write_file_atomically(path, text_of(checkpoint));
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    const std::string content = read_file(path);
    const std::string file = path.string();
    std::string_view text = content;
    if (!text.starts_with(magic)) throw FileError(file, 1, "this is no checkpoint of assay");
    Reader header(file, text);
    const std::string_view version = header.line().substr(magic.size());
    if (version != format)
        header.fail(fmt::format("a checkpoint of format {}, this program reads format {}", version,
                                format));
    const std::size_t end = text.size() < end_length ? 0 : text.size() - end_length;
    const std::string_view last = text.substr(end);
    if (end == 0 || text[end - 1] != '\n' || !last.starts_with(end_mark) || last.back() != '\n')
        throw FileError(file, 0, "this checkpoint is cut short: its last line is missing");
    text = text.substr(0, end);
    if (last.substr(end_mark.size(), 8) != checksum(text))
        throw FileError(file, 0, "this checkpoint is damaged: its checksum does not fit");

    Reader reader(file, text);
    reader.line();
    Checkpoint checkpoint;
    for (std::string_view line = reader.line(); !line.empty(); line = reader.line()) {
        const std::string_view name = Reader::word(line);
        checkpoint.identity.push_back({std::string(name), std::string(line)});
    }
    checkpoint.shape.blocks = reader.integer<std::uint64_t>(reader.value("blocks"));
    checkpoint.shape.sums = reader.integer<std::size_t>(reader.value("sums"));
    checkpoint.part = read_part(std::string(reader.value("part")));
    while (!reader.at_end()) read_group(reader, checkpoint);
    return checkpoint;
}

void require_same_run(const std::filesystem::path& path, const Checkpoint& there,
                      const Checkpoint& here) {
    const std::string found = run_differences(there, here);
    if (!found.empty()) throw FileError(path.string(), 0, "this is of another run: " + found);
}

void require_same_part(const std::filesystem::path& path, const Checkpoint& there,
                       const Checkpoint& here) {
    if (there.part != here.part)
        throw FileError(path.string(), 0,
                        fmt::format("this is of another shard: {} there, {} here",
                                    to_string(there.part), to_string(here.part)));
}

Checkpoint merge_checkpoints(std::span<const std::filesystem::path> files) {
    if (files.empty()) throw Error("no files to merge");
    Checkpoint merged = read_checkpoint(files.front());
    std::map<std::uint64_t, std::filesystem::path> holder;
    for (const auto& [group, sums] : merged.groups) holder.emplace(group, files.front());
    for (const std::filesystem::path& file : files.subspan(1)) {
        Checkpoint next = read_checkpoint(file);
        require_same_run(file, next, merged);
        for (auto& [group, sums] : next.groups) {
            const auto [position, is_new] = holder.emplace(group, file);
            if (!is_new)
                throw FileError(file.string(), 0,
                                fmt::format("group {} is also in {}: shards may not overlap", group,
                                            position->second.string()));
            merged.groups.emplace(group, std::move(sums));
        }
    }
    require_complete(merged, {0, merged.part.count});
    merged.part = {};
    return merged;
}

}  // namespace assay
