#pragma once
#include <filesystem>

namespace assay {

/// Sole use of a state from its reading to its writing: while one run has the lock of a file,
/// others are refused. The lock is a file "<name>.assay-lock" beside it, which goes with the run;
/// that of a run that was killed does not hold.
class FileLock {
public:
    /// Throws FileError (file) where another run has it, with that run's process number, or where
    /// the lock cannot be written or is another file.
    explicit FileLock(const std::filesystem::path& file);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    std::filesystem::path lock_;
    int descriptor_ = -1;
};

}  // namespace assay
