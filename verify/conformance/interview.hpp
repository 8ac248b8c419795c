#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verify/trial_json.hpp"

namespace assay::verify {

struct InterviewOptions {
    std::string command;             ///< of the adapter, for /bin/sh
    double timeout = 10.0;           ///< seconds for an answer
    double start_allowance = 120.0;  ///< seconds more for the first answer of the first process
    int jobs = 2;                    ///< adapters at a time
    int window = 8;                  ///< questions that one adapter may hold at a time
    std::uint64_t memory = 0;        ///< MiB of address space for each adapter; 0: no limit
    const std::atomic<bool>* stop = nullptr;
};

/// How one question ended.
struct Reply {
    enum class Kind { answer, crash, timeout };
    Kind kind = Kind::answer;
    Json answer;           ///< of an answer
    std::string text;      ///< of a crash: the last line of standard error, or the exit code
    double seconds = 0.0;  ///< since it was sent, or since the adapter's answer before
    int deaths = 0;        ///< adapters that died or hung while they held this question first
};

struct InterviewSummary {
    std::string library;  ///< name and version, as the adapter says them; empty where it does not
    std::size_t restarts = 0;
    std::size_t noise_lines = 0;  ///< on standard output, that answered nothing
    std::string first_noise;      ///< the beginning of the first of them
    std::size_t out_of_order = 0;
    bool interrupted = false;
};

/// Asks every question of its own id; `reply(index, ..)` is called once for each, in the order in
/// which they end. What happens besides is added to `summary`, which is up to date at every call.
///   Protocol   a question a line, with "id": its index from 1; an answer is a line with that id.
///              Other lines are skipped. The line {"ready": true, "id": null} ends the adapter's
///              start; its "library", a text, is name and version of what is on trial
///   Limits     an answer that does not come within the timeout ends the adapter's process group
///   Deaths     the question that an adapter held longest when it died is asked again alone, in a
///              process of its own whose input ends behind it; only a second death is a crash. The
///              others that it held are asked again
///   Throws     Error where no process can be started
void interview(const std::vector<Json>& questions, const InterviewOptions& options,
               InterviewSummary& summary,
               const std::function<void(std::size_t, const Reply&)>& reply);

}  // namespace assay::verify
