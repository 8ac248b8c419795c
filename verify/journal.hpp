#pragma once
#include <boost/crc.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/judge.hpp"

namespace assay::verify {

/// A finished part of a row.
struct BlockRecord {
    std::string row;
    std::size_t block = 0;
    double seconds = 0.0;
    std::vector<Trial> trials;
};

/// What a journal belongs to; another seed, tier or program starts anew.
struct JournalKey {
    std::uint64_t seed = 0;
    std::string tier;
    std::string program;  // version_line()

    friend bool operator==(const JournalKey&, const JournalKey&) = default;
};

/// An append-only file of finished blocks, one JSON object a line, each flushed as it is written: a
/// killed run loses at most its unfinished blocks. Behind each object stands the CRC-32 of the
/// objects up to there, so that a changed, missing or moved line is noticed.
class Journal {
public:
    /// Opens `path` (empty: keeps nothing). With `resume` the blocks already there are kept and
    /// given out by `finished`, and a torn last line is cut off; without, the file is begun anew.
    ///   Throws     FileError: not writable, or (resume) damaged, with the line, or of another key
    Journal(const std::filesystem::path& path, const JournalKey& key, bool resume);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// The block of an earlier run, or null.
    [[nodiscard]] const BlockRecord* finished(const std::string& row, std::size_t block) const;
    /// Thread-safe.
    ///   Throws     FileError where it cannot be written
    void append(const BlockRecord& record);

private:
    void read(std::string_view text, const JournalKey& key);

    std::filesystem::path path_;
    boost::crc_32_type crc_;  // of all objects
    std::map<std::pair<std::string, std::size_t>, BlockRecord> finished_;
    std::FILE* file_ = nullptr;
    std::mutex mutex_;
};

}  // namespace assay::verify
