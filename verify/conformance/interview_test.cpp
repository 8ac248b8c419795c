#include "verify/conformance/interview.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "test_support/scratch_folder.hpp"
#include "verify/conformance/claim.hpp"

namespace assay::verify {

namespace {

/// Asks `count` questions; the adapter is a Python program whose function `said` prints an answer.
struct Outcome {
    std::map<std::size_t, Reply> replies;
    std::size_t calls = 0;
    InterviewSummary summary;

    [[nodiscard]] std::size_t count(Reply::Kind kind) const {
        std::size_t found = 0;
        for (const auto& [index, reply] : replies) found += reply.kind == kind ? 1 : 0;
        return found;
    }
    /// Every question has an answer, and its own: the adapters answer with their question's number.
    [[nodiscard]] bool each_its_own() const {
        for (const auto& [index, reply] : replies)
            if (reply.kind == Reply::Kind::answer && reply.answer["value"] != index) return false;
        return true;
    }
};

InterviewOptions quick() {
    InterviewOptions options;
    options.timeout = 5.0;
    return options;
}

Outcome outcome_of(const std::string& program, std::size_t count,
                   InterviewOptions options = quick()) {
    const ScratchFolder folder("interview");
    const auto path = folder.path() / "adapter.py";
    std::ofstream(path) << "import json, sys, time, os\n"
                           "def said(line):\n"
                           "    q = json.loads(line)\n"
                           "    print(json.dumps({'id': q['id'], 'value': q['n'], 'claims': "
                           "'upper'}), flush=True)\n"
                        << program;
    options.command = "exec python3 " + path.string();
    std::vector<Json> questions;
    for (std::size_t i = 0; i < count; ++i) questions.push_back({{"n", i}});
    Outcome outcome;
    interview(questions, options, outcome.summary, [&](std::size_t index, const Reply& reply) {
        outcome.replies[index] = reply;
        ++outcome.calls;
    });
    return outcome;
}

}  // namespace

TEST_CASE("an adapter that answers in order is asked everything once", "[conformance][process]") {
    const Outcome outcome = outcome_of("for line in sys.stdin: said(line)\n", 200);
    CHECK(outcome.calls == 200);
    CHECK(outcome.count(Reply::Kind::answer) == 200);
    CHECK(outcome.each_its_own());
    CHECK(outcome.summary.restarts == 0);
}

TEST_CASE("noise on standard output answers nothing and loses nothing", "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "for line in sys.stdin:\n"
        "    print('progress 3 %')\n"
        "    print('{\"id\": 99999, \"value\": 1}')\n"
        "    print('x' * 3000000)\n"
        "    print('warming up ', end='')\n"
        "    said(line)\n",
        20);
    CHECK(outcome.count(Reply::Kind::answer) == 20);
    CHECK(outcome.each_its_own());
    CHECK(outcome.summary.noise_lines >= 40);
}

TEST_CASE("answers out of order are matched by their ids", "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "lines = []\n"
        "for line in sys.stdin:\n"
        "    lines.append(line)\n"
        "    if len(lines) == 3:\n"
        "        for one in reversed(lines): said(one)\n"
        "        lines = []\n"
        "for one in reversed(lines): said(one)\n",
        50);
    CHECK(outcome.calls == 50);
    CHECK(outcome.count(Reply::Kind::answer) == 50);
    CHECK(outcome.each_its_own());
    CHECK(outcome.summary.out_of_order > 0);
}

TEST_CASE("an adapter that dies at every tenth question loses no answer",
          "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "for i, line in enumerate(sys.stdin):\n"
        "    if i == 9: sys.exit(3)\n"
        "    said(line)\n",
        60);
    CHECK(outcome.calls == 60);
    CHECK(outcome.count(Reply::Kind::answer) == 60);
    CHECK(outcome.each_its_own());
    CHECK(outcome.summary.restarts > 0);
}

TEST_CASE("a question that kills its adapter is a crash and the others are answered",
          "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "for line in sys.stdin:\n"
        "    if json.loads(line)['n'] % 10 == 4: raise ValueError('no such question')\n"
        "    said(line)\n",
        40);
    CHECK(outcome.calls == 40);
    CHECK(outcome.count(Reply::Kind::crash) == 4);
    CHECK(outcome.each_its_own());
    CHECK(outcome.replies.at(4).text == "ValueError: no such question");
    const Outcome killed = outcome_of("os.kill(os.getpid(), 9)\n", 2);
    CHECK(killed.count(Reply::Kind::crash) == 2);
    CHECK(killed.replies.at(0).text == "ended by signal 9");
}

TEST_CASE("a question that hangs is a timeout and the others are answered",
          "[conformance][process]") {
    InterviewOptions options = quick();
    options.timeout = 0.5;
    const Outcome outcome = outcome_of(
        "for line in sys.stdin:\n"
        "    if json.loads(line)['n'] == 7: time.sleep(3600)\n"
        "    said(line)\n",
        30, options);
    CHECK(outcome.calls == 30);
    CHECK(outcome.count(Reply::Kind::timeout) == 1);
    CHECK(outcome.replies.at(7).kind == Reply::Kind::timeout);
    CHECK(outcome.each_its_own());
}

TEST_CASE("an adapter that never answers ends, and so do its children", "[conformance][process]") {
    InterviewOptions options = quick();
    options.timeout = 0.1;
    options.start_allowance = 0.5;
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = outcome_of("os.system('sleep 3600')\n", 5, options);
    CHECK(outcome.count(Reply::Kind::timeout) == 5);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

TEST_CASE("an adapter that closes its output and heeds no signal is a crash",
          "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "import signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.close(1)\n"
        "while True: time.sleep(60)\n",
        2);
    CHECK(outcome.count(Reply::Kind::crash) == 2);
    for (const auto& [index, reply] : outcome.replies) CHECK(reply.text == "closed its output");
}

TEST_CASE("an adapter that is slow within the limit is waited for", "[conformance][process]") {
    InterviewOptions options = quick();
    options.timeout = 2.0;
    const Outcome outcome = outcome_of(
        "for line in sys.stdin:\n"
        "    time.sleep(0.3)\n"
        "    said(line)\n",
        16, options);
    // Eight questions are held at a time: together they take longer than the limit of one.
    CHECK(outcome.count(Reply::Kind::answer) == 16);
    CHECK(outcome.summary.restarts == 0);
    for (const auto& [index, reply] : outcome.replies) CHECK(reply.seconds < 2.0);
}

TEST_CASE("answers that are held back until the input ends are received",
          "[conformance][process]") {
    InterviewOptions options = quick();
    options.timeout = 2.0;
    options.start_allowance = 2.0;
    options.jobs = 1;
    const Outcome outcome =
        outcome_of("for line in sys.stdin.readlines(): said(line)\n", 2, options);
    CHECK(outcome.count(Reply::Kind::answer) == 2);
    CHECK(outcome.each_its_own());
}

TEST_CASE("an adapter that prints without end and never answers is a timeout",
          "[conformance][process]") {
    InterviewOptions options = quick();
    options.timeout = 0.2;
    options.start_allowance = 0.5;
    const Outcome outcome = outcome_of("while True: print('x' * 1000)\n", 3, options);
    CHECK(outcome.calls == 3);
    CHECK(outcome.count(Reply::Kind::timeout) == 3);
}

TEST_CASE("the first of several answers to a question counts", "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "for line in sys.stdin:\n"
        "    said(line)\n"
        "    q = json.loads(line)\n"
        "    print(json.dumps({'id': q['id'], 'value': -1, 'claims': 'upper'}), flush=True)\n",
        30);
    CHECK(outcome.calls == 30);
    CHECK(outcome.each_its_own());
    CHECK(outcome.summary.noise_lines > 0);
}

TEST_CASE("an adapter that reads one line and closes its input loses no question",
          "[conformance][process]") {
    const Outcome outcome = outcome_of(
        "said(sys.stdin.readline())\n"
        "os.close(0)\n"
        "time.sleep(0.1)\n",
        12);
    CHECK(outcome.calls == 12);
    CHECK(outcome.count(Reply::Kind::answer) == 12);
    CHECK(outcome.each_its_own());
}

TEST_CASE("a command that does not exist is a crash of every question", "[conformance][process]") {
    InterviewOptions options = quick();
    options.command = "/nowhere/adapter";
    std::size_t crashes = 0;
    InterviewSummary summary;
    interview({Json::object(), Json::object()}, options, summary,
              [&](std::size_t, const Reply& reply) {
                  crashes += reply.kind == Reply::Kind::crash ? 1 : 0;
                  CHECK(reply.text.find("not found") != std::string::npos);
              });
    CHECK(crashes == 2);
}

}  // namespace assay::verify
