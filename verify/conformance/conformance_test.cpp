#include "verify/conformance/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "verify/conformance/page.hpp"

namespace assay::verify {

namespace {

namespace fs = std::filesystem;

Json test_of(const std::string& id, double value) {
    return {{"id", id},
            {"comment", "it's <one> question"},
            {"flags", {"Ordinary"}},
            {"question", {{"ask", "epsilon"}, {"n", value}}},
            {"lower", fmt::format("{}", value)},
            {"upper", fmt::format("{}", value)}};
}

void write_vectors(const fs::path& folder, const std::vector<Json>& tests) {
    const Json notes{{"Ordinary", {{"description", "Of every day."}, {"effect", "All see it."}}}};
    const Json file{
        {"notes", notes},
        {"testGroups", {{{"sampling", "none"}, {"adjacency", "zero-out"}, {"tests", tests}}}}};
    write_file_atomically(folder / "vectors" / "none.json", file.dump());
}

/// An adapter that says what a Python expression of `n` and `i`, the number of its answers before,
/// makes of a question; every question that it gets leaves a line.
void write_answers(const fs::path& folder, const std::string& expression) {
    std::ofstream(folder / "adapter.py")
        << "import json, sys, time, os\n"
        << "for i, line in enumerate(sys.stdin):\n"
        << "    q = json.loads(line)\n"
        << "    n = q['n']\n"
        << "    open('" << (folder / "asked").string() << "', 'a').write('x\\n')\n"
        << "    print(json.dumps({'id': q['id'], **" << expression << "}), flush=True)\n";
}

/// One whose upper claim is `n` times a factor.
void write_adapter(const fs::path& folder, double factor) {
    write_answers(folder, fmt::format("{{'value': {} * n, 'claims': 'upper'}}", factor));
}

ConformanceOptions options_in(const fs::path& folder) {
    ConformanceOptions options;
    options.interview.command = "exec python3 " + (folder / "adapter.py").string();
    options.vectors = folder / "vectors";
    options.out = folder / "out";
    return options;
}

ConformanceRun run_in(const ConformanceOptions& options) {
    return run_conformance(options, [](std::size_t, std::size_t) {});
}

/// What twenty vectors, whose answers are 1 to 20, find in an adapter.
ConformanceRun run_of(const ScratchFolder& folder, const std::string& expression) {
    std::vector<Json> tests;
    for (int i = 1; i <= 20; ++i) tests.push_back(test_of(fmt::format("v{:02}", i), i));
    write_vectors(folder.path(), tests);
    write_answers(folder.path(), expression);
    return run_in(options_in(folder.path()));
}

std::size_t lines_in(const fs::path& path) {
    const std::string text = read_file(path);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("vectors are read, and refused where they cannot be true", "[conformance]") {
    const ScratchFolder folder("vectors");
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("b", 2.0)});
    const auto vectors = read_test_vectors(folder.path() / "vectors").tests;
    REQUIRE(vectors.size() == 2);
    CHECK(vectors[1].group == "none, zero-out");
    CHECK(vectors[1].bracket.upper == 2.0);
    CHECK(vectors[1].gap() == 0.0);
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("a", 2.0)});
    CHECK_THROWS_AS(read_test_vectors(folder.path() / "vectors"), Error);
    Json inverted = test_of("a", 1.0);
    inverted["lower"] = "1.5";
    write_vectors(folder.path(), {inverted});
    CHECK_THROWS_AS(read_test_vectors(folder.path() / "vectors"), FileError);
    inverted["lower"] = "nan";
    write_vectors(folder.path(), {inverted});
    CHECK_THROWS_AS(read_test_vectors(folder.path() / "vectors"), FileError);
    CHECK_THROWS_AS(read_test_vectors(folder.path() / "nowhere"), Error);
}

TEST_CASE("a batch that is solved for is a count, a rate a probability", "[conformance]") {
    const ScratchFolder folder("counts");
    const auto verdict_where_null = [&](const std::string& name) {
        const Json phase{{name, nullptr}};
        const Json release{{"phases", Json::array({phase})}};
        Json test = test_of("a", 460.0);
        test["question"] = {{"ask", "sampling_probability"}, {"release", release}};
        write_vectors(folder.path(), {test});
        const TestVector vector = read_test_vectors(folder.path() / "vectors").tests.front();
        return judge_claim({Claim::Kind::interval, 460.0, 460.0, ""}, vector.asked, vector.bracket)
            .verdict;
    };
    CHECK(verdict_where_null("batch_size") == ClaimVerdict::sound);
    CHECK(verdict_where_null("sampling_probability") == ClaimVerdict::invalid);
}

TEST_CASE("a run that was cut off goes on where it was", "[conformance][process]") {
    const ScratchFolder folder("resume");
    std::vector<Json> tests;
    for (int i = 1; i <= 20; ++i) tests.push_back(test_of(fmt::format("v{}", i), i));
    write_vectors(folder.path(), tests);
    write_adapter(folder.path(), 1.0);
    ConformanceOptions options = options_in(folder.path());
    options.interview.jobs = 1;
    options.interview.command =
        "echo hello; echo '{\"id\": null, \"ready\": 1, \"library\": \"peer\"}'; " +
        options.interview.command;
    const ConformanceRun first = run_in(options);
    CHECK(first.count(ClaimVerdict::sound) == 20);
    // The journal loses its last four lines and the end of the one before.
    const fs::path journal = options.out / "answers.jsonl";
    std::string text = read_file(journal);
    for (int i = 0; i < 4; ++i) text.erase(text.rfind('\n', text.size() - 2) + 1);
    write_file_atomically(journal, text.substr(0, text.size() - 10));
    fs::remove(folder.path() / "asked");
    options.resume = true;
    const ConformanceRun resumed = run_in(options);
    CHECK(resumed.count(ClaimVerdict::sound) == 20);
    CHECK(lines_in(folder.path() / "asked") == 5);
    CHECK(lines_in(journal) == 21);
    // Once more, with nothing left to ask.
    const ConformanceRun again = run_in(options);
    CHECK(again.summary.library == "peer");
    CHECK(again.summary.noise_lines == resumed.summary.noise_lines);
    CHECK(again.summary.noise_lines >= 2);  // of both runs
    CHECK(again.summary.first_noise == "hello");
    CHECK(again.seconds <= resumed.seconds);
    CHECK(again.seconds > first.seconds);
    options.interview.timeout = 3.0;  // another limit, another run
    CHECK_THROWS_AS(run_in(options), FileError);
}

TEST_CASE("an error of 1e-5 at the largest questions alone is UNSOUND there and nowhere else",
          "[conformance][process]") {
    const ScratchFolder folder("late");
    const ConformanceRun run =
        run_of(folder, "{'value': n * (1 - 1e-5 if n > 17 else 1 + 1e-5), 'claims': 'upper'}");
    CHECK(run.count(ClaimVerdict::unsound) == 3);
    CHECK(run.count(ClaimVerdict::sound) == 17);
    const auto order = worst_first(run);
    for (std::size_t i = 0; i < 3; ++i) CHECK(run.vectors[order[i]].bracket.upper > 17.0);
    // The tolerance is for rounding: a thousandth of that error is not judged.
    CHECK(run_of(folder, "{'value': n * (1 - 1e-10), 'claims': 'upper'}")
              .count(ClaimVerdict::unsound) == 0);
}

TEST_CASE("sides that are exchanged are found, whichever way they are said",
          "[conformance][process]") {
    const ScratchFolder folder("exchanged");
    const ConformanceRun turned = run_of(folder, "{'interval': [1.001 * n, 0.999 * n]}");
    CHECK(turned.count(ClaimVerdict::unsound) == 20);
    const ConformanceRun lower = run_of(folder, "{'value': 1.001 * n, 'claims': 'lower'}");
    CHECK(lower.count(ClaimVerdict::unsound) == 20);
    const ConformanceRun upper = run_of(folder, "{'value': 0.999 * n, 'claims': 'upper'}");
    CHECK(upper.count(ClaimVerdict::unsound) == 20);
}

TEST_CASE("noise, order and death at once lose no answer and change no verdict",
          "[conformance][process]") {
    const ScratchFolder folder("everything");
    const ConformanceRun run = run_of(
        folder,
        "(print('{\"id\": 1') or print('[' * 4000) or sys.stderr.write('w' * 70000) and None or "
        "(os._exit(7) if i == 9 else time.sleep(0.02)) or {'value': n, 'claims': 'upper'})");
    CHECK(run.answers.size() == 20);
    CHECK(run.count(ClaimVerdict::sound) == 20);
    CHECK(run.summary.restarts > 0);
    CHECK(run.summary.noise_lines >= 40);
}

TEST_CASE("a baseline tells what changed", "[conformance][process]") {
    const ScratchFolder folder("baseline");
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("b", 2.0)});
    write_adapter(folder.path(), 1.0);
    ConformanceOptions options = options_in(folder.path());
    const fs::path before = folder.path() / "before.json";
    write_file_atomically(before, verdicts_json(run_in(options), options));
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("c", 3.0)});
    write_adapter(folder.path(), 0.5);
    options.baseline = before;
    const ConformanceRun run = run_in(options);
    REQUIRE(run.changes.size() == 3);
    CHECK(run.changes[0].id == "a");
    CHECK(run.changes[0].before == "sound");
    CHECK(run.changes[0].after == "UNSOUND");
    CHECK(run.changes[1].before.empty());
    CHECK(run.changes[2].id == "b");
    CHECK(run.changes[2].after.empty());
    // A run that is cut off has not lost what it did not ask.
    std::atomic<bool> stop{true};
    options.interview.stop = &stop;
    const ConformanceRun cut_off = run_in(options);
    REQUIRE(cut_off.changes.size() == 1);
    CHECK(cut_off.changes[0].id == "b");
    // What is no baseline is refused before anything is asked.
    options.interview.stop = nullptr;
    fs::remove(folder.path() / "asked");
    write_file_atomically(before, "{}");
    CHECK_THROWS_AS(run_in(options), FileError);
    options.baseline = folder.path() / "nowhere";
    CHECK_THROWS_AS(run_in(options), FileError);
    CHECK_FALSE(fs::exists(folder.path() / "asked"));
}

TEST_CASE("two runs do not share a folder, and a long text is cut", "[conformance][process]") {
    const ScratchFolder folder("shared");
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("b", 2.0)});
    write_answers(folder.path(), "{'error': 'x' * 500000}");
    const ConformanceOptions options = options_in(folder.path());
    int refused = 0;
    const ConformanceRun run = run_conformance(options, [&](std::size_t, std::size_t) {
        try {
            run_in(options);
        } catch (const FileError&) {
            ++refused;
        }
    });
    CHECK(refused == 2);
    CHECK(run.count(ClaimVerdict::crash) == 2);
    CHECK(run.answers[0]->judged.note.size() < 3000);
    CHECK(lines_in(options.out / "answers.jsonl") == 3);
    run_in(options);  // it is free again
}

TEST_CASE("the report names the library, says where it is UNSOUND and folds what it lacks",
          "[conformance][process]") {
    const ScratchFolder folder("named");
    Json lacking = test_of("c", 3.0);
    lacking["flags"] = {"Lacking"};
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("b", 2.0), lacking});
    write_answers(folder.path(),
                  "({'unsupported': 'no'} if n == 3 else {'value': n / 4, 'claims': 'upper'})");
    ConformanceOptions options = options_in(folder.path());
    options.interview.command = "echo '{\"id\": null, \"ready\": 1, \"library\": \"peer<7>\"}'; " +
                                options.interview.command;
    const ConformanceRun run = run_in(options);
    CHECK(run.summary.library == "peer<7>");
    CHECK(Json::parse(verdicts_json(run, options)).at("library") == "peer<7>");
    const std::string page = conformance_page(run, options);
    CHECK(page.find("<title>Conformance of peer&lt;7&gt;</title>") != page.npos);
    CHECK(page.find("<td>none, zero-out</td><td class=n>2</td><td class=n>0.25, 0.25, 0.25</td>") !=
          page.npos);
    CHECK(page.find("Ordinary<small>Of every day. All see it.</small>") != page.npos);
    CHECK(page.find("Unsupported throughout: Lacking (1).") != page.npos);
    CHECK(page.find("<th>Lacking") == page.npos);
}

TEST_CASE("the report holds the worst answer, a command for a shell, and nothing from elsewhere",
          "[conformance][process]") {
    const ScratchFolder folder("report");
    write_vectors(folder.path(), {test_of("a", 1.0), test_of("b", 0.0), test_of("c", 3.0)});
    write_adapter(folder.path(), 0.9);
    const ConformanceOptions options = options_in(folder.path());
    const ConformanceRun run = run_in(options);
    CHECK(run.count(ClaimVerdict::unsound) == 2);
    CHECK(run.count(ClaimVerdict::sound) == 1);
    CHECK(run.answers[worst_first(run).front()]->judged.verdict == ClaimVerdict::unsound);
    const std::string page = conformance_page(run, options);
    CHECK(page.find("it's &lt;one&gt; question") != page.npos);
    CHECK(page.find("<one>") == page.npos);
    CHECK(page.find("src=") == page.npos);
    CHECK(page.find("href=") == page.npos);
    CHECK(page.find("<svg") != page.npos);
    const Json verdicts = Json::parse(verdicts_json(run, options));
    CHECK(verdicts.at("counts").at("UNSOUND") == 2);
    CHECK(verdicts.at("groups").at("none, zero-out").at("sound") == 1);
    CHECK(conformance_text(run).find("UNSOUND  ") == 0);
    TestVector quoted = run.vectors[0];
    quoted.question = {{"ask", "it's"}};
    CHECK(reproduction(quoted, "adapter") == R"(echo '{"ask":"it'\''s","id":1}' | adapter)");
}

}  // namespace assay::verify
