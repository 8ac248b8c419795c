#pragma once
#include <map>
#include <optional>

#include "verify/conformance/interview.hpp"
#include "verify/conformance/test_vector.hpp"

namespace assay::verify {

/// One vector on trial.
struct JudgedAnswer {
    std::string id;
    Claim::Kind claimed = Claim::Kind::malformed;
    std::string said;  ///< the number, the interval; empty where there is none
    JudgedClaim judged;
    double seconds = 0.0;
    int deaths = 0;
};

struct ConformanceOptions {
    InterviewOptions interview;
    std::filesystem::path vectors = "results/reference/vectors";
    std::filesystem::path out = "results/latest/conformance";
    std::filesystem::path baseline;  ///< verdicts.json of an earlier run; empty: none
    bool resume = false;
};

/// What a verdict was and is; `before` or `after` is empty where the vector is in one run alone.
struct VerdictChange {
    std::string id;
    std::string before;
    std::string after;
};

struct ConformanceRun {
    std::vector<TestVector> vectors;
    std::map<std::string, std::string> flags;          ///< what each flag means
    std::vector<std::optional<JudgedAnswer>> answers;  ///< one a vector
    InterviewSummary summary;  ///< this and the seconds: with those of the runs it goes on from
    double seconds = 0.0;
    std::vector<VerdictChange> changes;
    bool compared = false;

    [[nodiscard]] std::size_t count(ClaimVerdict verdict) const;
    [[nodiscard]] std::size_t answered() const;
};

/// Asks every vector and judges the answers; `progress(done, planned)` as they come.
///   Files      answers.jsonl in `out` holds every verdict as it comes: with `resume` those of the
///              same command and vectors are kept, and a torn last line is asked again. Nobody else
///              may run in `out` meanwhile
///   Throws     FileError, Error: unreadable vectors or baseline, journal of another run, folder in
///              use, no process
[[nodiscard]] ConformanceRun run_conformance(
    const ConformanceOptions& options,
    const std::function<void(std::size_t, std::size_t)>& progress);

/// verdicts.json: command, counts by verdict and by group, and every answer, worst first.
[[nodiscard]] std::string verdicts_json(const ConformanceRun& run,
                                        const ConformanceOptions& options);

/// Text for the terminal: counts, every UNSOUND (ten at most), changes.
[[nodiscard]] std::string conformance_text(const ConformanceRun& run);

/// Indices of the answers, the gravest first: by verdict, then by how far they are off.
[[nodiscard]] std::vector<std::size_t> worst_first(const ConformanceRun& run);

/// One line for a shell that asks the adapter this question again.
[[nodiscard]] std::string reproduction(const TestVector& vector, const std::string& command);

}  // namespace assay::verify
