#include "verify/conformance/interview.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <limits>
#include <memory>

#include "assay/numeric/number_text.hpp"
#include "verify/conformance/adapter_process.hpp"
#include "verify/conformance/claim.hpp"

namespace assay::verify {

namespace {

using Clock = AdapterProcess::Clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

struct Task {
    std::size_t index = 0;
    int deaths = 0;
    bool alone = false;
};

struct Held {
    Task task;
    Clock::time_point sent;
};

/// One adapter and what it holds.
struct Slot {
    std::unique_ptr<AdapterProcess> process;
    std::deque<Held> held;
    bool started = false;  // it has shown that it is past its start
    bool alone = false;
    Clock::time_point last_answer;
};

class Interview {
public:
    Interview(const std::vector<Json>& questions, const InterviewOptions& options,
              InterviewSummary& summary,
              const std::function<void(std::size_t, const Reply&)>& reply)
        : questions_(questions), options_(options), reply_(reply), summary_(summary) {
        for (std::size_t i = 0; i < questions.size(); ++i) tasks_.push_back({i});
        slots_.resize(static_cast<std::size_t>(std::max(1, options.jobs)));
    }

    void run() {
        while (!tasks_.empty() || std::any_of(slots_.begin(), slots_.end(),
                                              [](const Slot& s) { return !s.held.empty(); })) {
            if (options_.stop != nullptr && *options_.stop) {
                summary_.interrupted = true;
                break;
            }
            for (Slot& slot : slots_) feed(slot);
            wait_for_output();
            for (Slot& slot : slots_) serve(slot);
        }
    }

private:
    void start(Slot& slot) {
        slot.process = std::make_unique<AdapterProcess>(options_.command, options_.memory);
        slot.started = false;
        slot.alone = false;
        slot.last_answer = slot.process->started();
        if (++starts_ > slots_.size()) ++summary_.restarts;
    }

    void give(Slot& slot) {
        const Task task = tasks_.front();
        tasks_.pop_front();
        Json question = questions_[task.index];
        question["id"] = task.index + 1;
        slot.held.push_back({task, Clock::now()});
        slot.process->send(question.dump());
    }

    void feed(Slot& slot) {
        if (tasks_.empty()) {
            // An adapter that holds answers back gives them when its input ends.
            if (slot.process && !slot.process->input_finished()) slot.process->finish_input();
            return;
        }
        if (slot.process && slot.process->input_finished() && slot.held.empty())
            slot.process.reset();
        if (tasks_.front().alone) {
            if (!slot.held.empty()) return;
            start(slot);
            slot.alone = true;
            give(slot);
            slot.process->finish_input();
            return;
        }
        if (!slot.process) start(slot);
        if (slot.process->input_finished()) return;
        const auto window = static_cast<std::size_t>(std::max(1, options_.window));
        while (!tasks_.empty() && !tasks_.front().alone && slot.held.size() < window) give(slot);
    }

    /// Seconds that the adapter may take for what it is at.
    [[nodiscard]] double limit(const Slot& slot) const {
        if (slot.started) return options_.timeout;
        if (quickest_start_ < std::numeric_limits<double>::infinity())
            return options_.timeout + 5.0 * quickest_start_ + 1.0;
        // Adapters that have never answered are soon given no more than a question's time.
        return options_.timeout + (silent_ends_ < slots_.size() ? options_.start_allowance : 0.0);
    }

    [[nodiscard]] Clock::time_point waiting_since(const Slot& slot) const {
        return std::max(slot.held.front().sent, slot.last_answer);
    }

    void wait_for_output() {
        std::vector<pollfd> watched;
        double patience = 0.2;  // a child that dies while another holds its output is seen as well
        for (const Slot& slot : slots_) {
            if (!slot.process) continue;
            const AdapterProcess& process = *slot.process;
            watched.push_back({process.input(), POLLOUT, 0});
            watched.push_back({process.output(), POLLIN, 0});
            watched.push_back({process.errors(), POLLIN, 0});
            if (!slot.held.empty())
                patience = std::min(
                    patience, limit(slot) - seconds_between(waiting_since(slot), Clock::now()));
        }
        const int milliseconds = static_cast<int>(std::max(0.0, patience) * 1000.0) + 1;
        ::poll(watched.data(), watched.size(), milliseconds);
    }

    void serve(Slot& slot) {
        if (!slot.process) return;
        AdapterProcess& process = *slot.process;
        process.write_some();
        const bool ended = process.ended();
        const auto take = [&](std::string_view line) { hear(slot, line); };
        process.read_lines(take);
        // What a child wrote before its end is in the pipe; nobody else is waited for.
        if (ended)
            for (int reads = 0; reads < 1024 && process.read_lines(take);) ++reads;
        process.read_errors();
        if (ended)
            end_of_process(slot);
        else if (!slot.held.empty() &&
                 seconds_between(waiting_since(slot), Clock::now()) > limit(slot))
            out_of_time(slot);
    }

    void mark_started(Slot& slot) {
        if (slot.started) return;
        slot.started = true;
        slot.last_answer = Clock::now();
        quickest_start_ =
            std::min(quickest_start_, seconds_between(slot.process->started(), slot.last_answer));
    }

    void count_noise(std::string_view line) {
        if (summary_.noise_lines++ == 0) summary_.first_noise = line.substr(0, 120);
    }

    void hear(Slot& slot, std::string_view line) {
        const Json answer = object_of_line(line);
        if (answer.is_discarded()) {
            if (line.find_first_not_of(" \t\r") != line.npos) count_noise(line);
            return;
        }
        if (answer["id"].is_null() && answer.contains("ready")) {
            mark_started(slot);
            if (answer.contains("library") && answer["library"].is_string())
                summary_.library = answer["library"].get<std::string>();
            return;
        }
        const auto found = std::find_if(slot.held.begin(), slot.held.end(), [&](const Held& held) {
            const std::size_t id = held.task.index + 1;
            return answer["id"] == Json(id) || answer["id"] == Json(std::to_string(id));
        });
        if (found == slot.held.end()) {
            count_noise(line);
            return;
        }
        if (found != slot.held.begin()) {
            ++summary_.out_of_order;
            in_order_ = false;
        }
        const Held held = *found;
        const double seconds = seconds_between(std::max(held.sent, slot.last_answer), Clock::now());
        slot.held.erase(found);
        mark_started(slot);
        slot.last_answer = Clock::now();
        answered_ = true;
        if (slot.alone && held.task.deaths > 0 && timed_out_[held.task.index]) holds_back_ = true;
        reply_(held.task.index, {Reply::Kind::answer, answer, "", seconds, held.task.deaths});
    }

    /// Gives back what the adapter still held, the first of it alone where `retry`.
    void give_back(Slot& slot, bool retry) {
        while (slot.held.size() > (retry ? 1U : 0U)) {
            tasks_.push_front(slot.held.back().task);
            slot.held.pop_back();
        }
        if (retry) {
            Task first = slot.held.front().task;
            first.alone = true;
            ++first.deaths;
            tasks_.push_front(first);
            slot.held.clear();
        }
        if (!slot.started) ++silent_ends_;
        slot.process.reset();
    }

    void end_of_process(Slot& slot) {
        if (slot.held.empty()) {
            slot.process.reset();
            return;
        }
        if (!slot.alone) {
            give_back(slot, true);
            return;
        }
        const Held held = slot.held.front();
        slot.held.pop_front();
        reply_(held.task.index, {Reply::Kind::crash,
                                 {},
                                 slot.process->last_words(),
                                 seconds_between(held.sent, Clock::now()),
                                 held.task.deaths + 1});
        give_back(slot, false);
    }

    void out_of_time(Slot& slot) {
        const Held held = slot.held.front();
        // Of an adapter that answers in order, the first question is the one that takes too long.
        // Others, and those that may wait for more lines, are asked that question alone.
        const bool in_order = answered_ && in_order_ && !holds_back_;
        if (!slot.alone && !in_order && !(silence_settled_ && !answered_)) {
            timed_out_[held.task.index] = true;
            give_back(slot, true);
            return;
        }
        if (slot.alone && !answered_) silence_settled_ = true;
        slot.held.pop_front();
        reply_(held.task.index, {Reply::Kind::timeout,
                                 {},
                                 "",
                                 seconds_between(waiting(held, slot), Clock::now()),
                                 held.task.deaths});
        give_back(slot, false);
    }

    [[nodiscard]] static Clock::time_point waiting(const Held& held, const Slot& slot) {
        return std::max(held.sent, slot.last_answer);
    }

    const std::vector<Json>& questions_;
    const InterviewOptions& options_;
    const std::function<void(std::size_t, const Reply&)>& reply_;
    InterviewSummary& summary_;
    std::deque<Task> tasks_;
    std::vector<Slot> slots_;
    std::vector<bool> timed_out_ = std::vector<bool>(questions_.size());
    std::size_t starts_ = 0;
    std::size_t silent_ends_ = 0;
    double quickest_start_ = std::numeric_limits<double>::infinity();
    bool answered_ = false;
    bool in_order_ = true;
    bool holds_back_ = false;       // an adapter answered only when its input ended
    bool silence_settled_ = false;  // a question alone was not answered either
};

/// Writing to an adapter that is gone is seen by the write, not by a signal.
class IgnoredPipeSignal {
public:
    IgnoredPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    ~IgnoredPipeSignal() { std::signal(SIGPIPE, before_); }
    IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
    IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

private:
    void (*before_)(int);
};

}  // namespace

void interview(const std::vector<Json>& questions, const InterviewOptions& options,
               InterviewSummary& summary,
               const std::function<void(std::size_t, const Reply&)>& reply) {
    const IgnoredPipeSignal ignored;
    Interview(questions, options, summary, reply).run();
}

}  // namespace assay::verify
