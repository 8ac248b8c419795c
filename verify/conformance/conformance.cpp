#include "verify/conformance/conformance.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numeric>

#include "assay/files/atomic_file.hpp"
#include "assay/files/bounded_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/json_number.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Exceptions may print whole arrays.
std::string beginning_of(std::string text) {
    constexpr std::size_t most = 2000;
    if (text.size() > most) text.replace(most, text.npos, " ...");
    return text;
}

std::string text_of_number(double x) {
    return std::isnan(x) ? "nan" : number_to_text(x);
}

std::string said(const Claim& claim) {
    switch (claim.kind) {
        case Claim::Kind::interval:
            return fmt::format("[{}, {}]", text_of_number(claim.low), text_of_number(claim.high));
        case Claim::Kind::upper:
        case Claim::Kind::lower:
        case Claim::Kind::estimate: return text_of_number(claim.high);
        default: return "";
    }
}

JudgedAnswer judged(const TestVector& vector, const Reply& reply) {
    JudgedAnswer answer;
    answer.id = vector.id;
    answer.seconds = reply.seconds;
    answer.deaths = reply.deaths;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    switch (reply.kind) {
        case Reply::Kind::crash:
            answer.judged = {ClaimVerdict::crash, none, beginning_of(reply.text)};
            break;
        case Reply::Kind::timeout: answer.judged = {ClaimVerdict::timeout, none, ""}; break;
        default: {
            const Claim claim = claim_of(reply.answer);
            answer.claimed = claim.kind;
            answer.said = said(claim);
            answer.judged = judge_claim(claim, vector.asked, vector.bracket);
            answer.judged.note = beginning_of(answer.judged.note);
        }
    }
    return answer;
}

Json to_json(const JudgedAnswer& answer) {
    return {{"id", answer.id},
            {"verdict", to_string(answer.judged.verdict)},
            {"claims", to_string(answer.claimed)},
            {"said", answer.said},
            {"factor", number_to_json<Json>(answer.judged.factor)},
            {"note", answer.judged.note},
            {"seconds", answer.seconds},
            {"deaths", answer.deaths}};
}

JudgedAnswer answer_from_json(const Json& json) {
    JudgedAnswer answer;
    answer.id = json.at("id").get<std::string>();
    answer.judged = {claim_verdict_from_string(json.at("verdict").get<std::string>()),
                     number_from_json<Json>(json.at("factor")), json.at("note").get<std::string>()};
    for (const auto kind :
         {Claim::Kind::upper, Claim::Kind::lower, Claim::Kind::estimate, Claim::Kind::interval,
          Claim::Kind::unsupported, Claim::Kind::error, Claim::Kind::malformed})
        if (json.at("claims").get<std::string>() == to_string(kind)) answer.claimed = kind;
    answer.said = json.at("said").get<std::string>();
    answer.seconds = json.at("seconds").get<double>();
    answer.deaths = json.at("deaths").get<int>();
    return answer;
}

/// What a run that goes on must know of the one before, beside its answers.
Json state_of(const InterviewSummary& summary, double seconds) {
    return {{"library", summary.library},           {"restarts", summary.restarts},
            {"noise_lines", summary.noise_lines},   {"first_noise", summary.first_noise},
            {"out_of_order", summary.out_of_order}, {"seconds", seconds}};
}

void read_state(const Json& json, ConformanceRun& run) {
    run.summary.library = json.at("library").get<std::string>();
    run.summary.restarts = json.at("restarts").get<std::size_t>();
    run.summary.noise_lines = json.at("noise_lines").get<std::size_t>();
    run.summary.first_noise = json.at("first_noise").get<std::string>();
    run.summary.out_of_order = json.at("out_of_order").get<std::size_t>();
    run.seconds = json.at("seconds").get<double>();
}

/// Of a folder, as long as it lives: a second run would overwrite what the first one writes.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& folder)
        : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 &&
            errno == EWOULDBLOCK) {
            ::close(descriptor_);
            throw FileError(folder.string(), 0, "is in use by another run");
        }
    }
    ~FolderLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

/// Verdicts by the ids of their vectors.
using Verdicts = std::map<std::string, std::string>;

Verdicts read_verdicts(const std::filesystem::path& path) {
    Verdicts verdicts;
    try {
        const Json json = Json::parse(read_file_of_at_most(path, std::size_t{1} << 28U));
        for (const Json& answer : json.at("answers"))
            verdicts[answer.at("id").get<std::string>()] = answer.at("verdict").get<std::string>();
    } catch (const Json::exception& error) {
        throw FileError(path.string(), 0, fmt::format("holds no verdicts: {}", error.what()));
    }
    return verdicts;
}

std::vector<VerdictChange> changes_since(Verdicts before, const ConformanceRun& run) {
    std::vector<VerdictChange> changes;
    for (std::size_t i = 0; i < run.vectors.size(); ++i) {
        const std::string& id = run.vectors[i].id;
        const auto found = before.find(id);
        const std::string was = found == before.end() ? "" : found->second;
        if (found != before.end()) before.erase(found);
        if (!run.answers[i]) continue;  // not asked yet
        const std::string now(to_string(run.answers[i]->judged.verdict));
        if (was != now) changes.push_back({id, was, now});
    }
    for (const auto& [id, verdict] : before) changes.push_back({id, verdict, ""});
    return changes;
}

/// What makes two runs one: the adapter, the limit, every question and its bracket.
std::string key_of(const ConformanceRun& run, const ConformanceOptions& options) {
    std::size_t hash = 0;
    for (const TestVector& one : run.vectors)
        hash = hash * 31 +
               std::hash<std::string>{}(one.id + one.lower + ' ' + one.upper + one.question.dump());
    return dumped({{"command", options.interview.command},
                   {"timeout", options.interview.timeout},
                   {"vectors", fmt::format("{} {:016x}", run.vectors.size(), hash)}});
}

/// Fills in what an earlier run has answered; returns the journal that goes on, without a torn end.
std::string kept(const std::filesystem::path& journal, const std::string& key,
                 ConformanceRun& run) {
    if (!std::filesystem::exists(journal)) return key + "\n";
    const std::string text = read_file(journal);
    std::size_t begin = text.find('\n');
    if (begin == text.npos || text.substr(0, begin) != key)
        throw FileError(journal.string(), 1, "is of another adapter, limit or set of vectors");
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < run.vectors.size(); ++i) places[run.vectors[i].id] = i;
    std::size_t end = ++begin;
    int line = 2;
    for (std::size_t stop = text.find('\n', begin); stop != text.npos;
         stop = text.find('\n', begin), ++line) {
        try {
            const Json json = Json::parse(text.substr(begin, stop - begin));
            JudgedAnswer answer = answer_from_json(json);
            read_state(json.at("run"), run);
            const std::size_t place = places.at(answer.id);
            run.answers[place] = std::move(answer);
        } catch (const std::exception& error) {
            throw FileError(journal.string(), line, error.what());
        }
        end = begin = stop + 1;
    }
    return text.substr(0, end);
}

Json counts_of(const ConformanceRun& run, const std::function<bool(const TestVector&)>& within) {
    Json counts = Json::object();
    for (const ClaimVerdict verdict : all_claim_verdicts) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < run.vectors.size(); ++i)
            if (run.answers[i] && run.answers[i]->judged.verdict == verdict &&
                within(run.vectors[i]))
                ++count;
        if (count > 0) counts[std::string(to_string(verdict))] = count;
    }
    return counts;
}

std::size_t place_of(ClaimVerdict verdict) {
    return static_cast<std::size_t>(
        std::find(all_claim_verdicts.begin(), all_claim_verdicts.end(), verdict) -
        all_claim_verdicts.begin());
}

/// How far a factor is from 1, on either side; a missing one is 0.
double distance(double factor) {
    return std::isnan(factor) ? 0.0 : std::abs(std::log(factor));
}

std::string in_shell_quotes(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::size_t ConformanceRun::count(ClaimVerdict verdict) const {
    return static_cast<std::size_t>(std::count_if(
        answers.begin(), answers.end(),
        [&](const auto& answer) { return answer && answer->judged.verdict == verdict; }));
}

std::size_t ConformanceRun::answered() const {
    return static_cast<std::size_t>(
        std::count_if(answers.begin(), answers.end(), [](const auto& answer) { return !!answer; }));
}

ConformanceRun run_conformance(const ConformanceOptions& options,
                               const std::function<void(std::size_t, std::size_t)>& progress) {
    ConformanceRun run;
    TestVectors read = read_test_vectors(options.vectors);
    run.vectors = std::move(read.tests);
    run.flags = std::move(read.flags);
    run.answers.resize(run.vectors.size());
    std::optional<Verdicts> baseline;
    if (!options.baseline.empty()) baseline = read_verdicts(options.baseline);
    std::filesystem::create_directories(options.out);
    const FolderLock lock(options.out);
    const std::filesystem::path path = options.out / "answers.jsonl";
    const std::string key = key_of(run, options);
    write_file_atomically(path, options.resume ? kept(path, key, run) : key + "\n");
    std::ofstream journal(path, std::ios::app | std::ios::binary);
    std::vector<Json> questions;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < run.vectors.size(); ++i) {
        if (run.answers[i]) continue;
        questions.push_back(run.vectors[i].question);
        places.push_back(i);
    }
    const auto begin = std::chrono::steady_clock::now();
    std::size_t done = run.answered();
    const double before = run.seconds;
    const auto seconds = [&] {
        return before +
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    interview(questions, options.interview, run.summary, [&](std::size_t i, const Reply& reply) {
        const std::size_t place = places[i];
        run.answers[place] = judged(run.vectors[place], reply);
        Json line = to_json(*run.answers[place]);
        line["run"] = state_of(run.summary, seconds());
        journal << dumped(line) << '\n' << std::flush;
        if (!journal) throw FileError(path.string(), 0, "cannot be written");
        progress(++done, run.vectors.size());
    });
    if (!questions.empty()) run.seconds = seconds();
    if (baseline) {
        run.changes = changes_since(std::move(*baseline), run);
        run.compared = true;
    }
    return run;
}

std::vector<std::size_t> worst_first(const ConformanceRun& run) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < run.answers.size(); ++i)
        if (run.answers[i]) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const JudgedClaim& first = run.answers[a]->judged;
        const JudgedClaim& second = run.answers[b]->judged;
        if (first.verdict != second.verdict)
            return place_of(first.verdict) < place_of(second.verdict);
        return distance(first.factor) > distance(second.factor);
    });
    return order;
}

std::string reproduction(const TestVector& vector, const std::string& command) {
    Json question = vector.question;
    question["id"] = 1;
    return fmt::format("echo {} | {}", in_shell_quotes(dumped(question)), command);
}

std::string verdicts_json(const ConformanceRun& run, const ConformanceOptions& options) {
    Json groups = Json::object();
    for (const TestVector& one : run.vectors)
        if (!groups.contains(one.group))
            groups[one.group] =
                counts_of(run, [&](const TestVector& other) { return other.group == one.group; });
    Json answers = Json::array();
    for (const std::size_t i : worst_first(run)) {
        Json one = to_json(*run.answers[i]);
        const TestVector& vector = run.vectors[i];
        one["group"] = vector.group;
        one["question"] = vector.question;
        one["comment"] = vector.comment;
        one["flags"] = vector.flags;
        one["lower"] = vector.lower;
        one["upper"] = vector.upper;
        answers.push_back(std::move(one));
    }
    Json changes = Json::array();
    for (const VerdictChange& change : run.changes)
        changes.push_back({{"id", change.id}, {"before", change.before}, {"after", change.after}});
    const Json json{{"command", options.interview.command},
                    {"library", run.summary.library},
                    {"program", version_line()},
                    {"vectors", run.vectors.size()},
                    {"answered", run.answered()},
                    {"complete", run.answered() == run.vectors.size()},
                    {"timeout", options.interview.timeout},
                    {"jobs", options.interview.jobs},
                    {"seconds", run.seconds},
                    {"restarts", run.summary.restarts},
                    {"noise_lines", run.summary.noise_lines},
                    {"out_of_order", run.summary.out_of_order},
                    {"counts", counts_of(run, [](const TestVector&) { return true; })},
                    {"groups", std::move(groups)},
                    {"changes", std::move(changes)},
                    {"answers", std::move(answers)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string conformance_text(const ConformanceRun& run) {
    std::string text;
    std::size_t shown = 0;
    for (const std::size_t i : worst_first(run)) {
        const JudgedAnswer& answer = *run.answers[i];
        if (answer.judged.verdict != ClaimVerdict::unsound || ++shown > 10) continue;
        text += fmt::format("UNSOUND  {} ({}): {} {}, certified [{}, {}]\n  {}\n", answer.id,
                            run.vectors[i].comment, to_string(answer.claimed), answer.said,
                            run.vectors[i].lower, run.vectors[i].upper,
                            dumped(run.vectors[i].question));
    }
    if (shown > 10) text += fmt::format("and {} more\n", shown - 10);
    for (std::size_t i = 0; i < run.changes.size() && i < 20; ++i)
        text += fmt::format("changed  {}: {} -> {}\n", run.changes[i].id,
                            run.changes[i].before.empty() ? "new" : run.changes[i].before,
                            run.changes[i].after.empty() ? "gone" : run.changes[i].after);
    if (run.answered() > 0 && run.count(ClaimVerdict::timeout) == run.answered() &&
        run.summary.noise_lines == 0)
        text += "no answer at all: an adapter that takes long to start needs --start-allowance\n";
    if (run.summary.noise_lines > 0 && run.count(ClaimVerdict::timeout) > 0)
        text += fmt::format(
            "answers that did not come may be among the lines that were not understood; the first: "
            "{}\n",
            run.summary.first_noise);
    if (run.compared)
        text += fmt::format("{} verdicts changed since the baseline\n", run.changes.size());
    std::string counts;
    for (const ClaimVerdict verdict : all_claim_verdicts)
        if (const std::size_t n = run.count(verdict); n > 0)
            counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, to_string(verdict));
    text +=
        fmt::format("{} of {} vectors in {:.1f} s: {}; {} restarts, {} noise lines{}\n",
                    run.answered(), run.vectors.size(), run.seconds, counts, run.summary.restarts,
                    run.summary.noise_lines, run.summary.interrupted ? "; interrupted" : "");
    return text;
}

}  // namespace assay::verify
