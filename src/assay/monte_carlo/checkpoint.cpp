#include "assay/monte_carlo/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/files/state_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr StateFormat format{"checkpoint", 2};

void read_group(StateReader& reader, Checkpoint& checkpoint) {
    const auto group = reader.number<std::uint64_t>();
    std::vector<double> sums = reader.numbers<double>();
    if (group >= checkpoint.shape.groups() || sums.size() != checkpoint.shape.sums)
        reader.refuse(fmt::format("{} sums of group {} do not fit the run", sums.size(), group));
    if (std::ranges::any_of(sums, [](double sum) { return std::isnan(sum); }))
        reader.refuse(fmt::format("a sum of group {} is no number", group));
    if (!checkpoint.groups.emplace(group, std::move(sums)).second)
        reader.refuse(fmt::format("group {} stands here twice", group));
}

/// Files of 0.2.0 name the directions "remove" and "add".
RunIdentity with_current_names(RunIdentity identity) {
    for (RunField& field : identity) {
        if (field.name != "direction") continue;
        if (field.value == "remove") field.value = "removal";
        if (field.value == "add") field.value = "addition";
    }
    return identity;
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

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    StateWriter writer(format, checkpoint.identity);
    writer.number(std::uint64_t{checkpoint.shape.blocks});
    writer.number(std::uint64_t{checkpoint.shape.sums});
    writer.number(std::uint64_t{checkpoint.part.index});
    writer.number(std::uint64_t{checkpoint.part.count});
    writer.number(std::uint64_t{checkpoint.groups.size()});
    for (const auto& [group, sums] : checkpoint.groups) {
        writer.number(std::uint64_t{group});
        writer.numbers(sums);
    }
    writer.write(path);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    StateReader reader(path, format);
    Checkpoint checkpoint;
    checkpoint.identity = with_current_names(reader.identity());
    checkpoint.shape.blocks = reader.number<std::uint64_t>();
    checkpoint.shape.sums = reader.number<std::uint64_t>();
    checkpoint.part.index = reader.number<std::uint64_t>();
    checkpoint.part.count = reader.number<std::uint64_t>();
    if (checkpoint.part.index >= checkpoint.part.count) reader.refuse("its part is none");
    for (auto groups = reader.number<std::uint64_t>(); groups > 0; --groups)
        read_group(reader, checkpoint);
    reader.require_end();
    return checkpoint;
}

void require_same_run(const std::filesystem::path& path, const Checkpoint& there,
                      const Checkpoint& here) {
    require_same_run(path, there.identity, here.identity);
    // Equal parameters cut alike, unless the files come from different versions.
    if (there.shape != here.shape)
        throw FileError(
            path.string(), 0,
            fmt::format("this is of another run: {} blocks of {} sums there, {} of {} "
                        "here",
                        there.shape.blocks, there.shape.sums, here.shape.blocks, here.shape.sums));
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
