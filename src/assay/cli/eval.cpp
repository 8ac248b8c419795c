#include "assay/cli/eval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "assay/cli/answer_lines.hpp"
#include "assay/cli/evaluate_within.hpp"
#include "assay/cli/input_error.hpp"
#include "assay/cli/json_line.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/read_arguments.hpp"
#include "assay/formulas/quantities.hpp"

namespace assay::cli {

using formulas::Answer;
using formulas::Arguments;
using formulas::Quantity;
using formulas::ThreadClock;

namespace {

template <class End>
Json ends(const Answer& answer, End end) {
    if (!answer.is_list) return json_number(end(answer.values.front()));
    Json list = Json::array();
    for (const Enclosure& value : answer.values) list.push_back(json_number(end(value)));
    return list;
}

bool is_vacuous(const Answer& answer, const Enclosure& trivial_value) {
    return answer.is_vacuous ||
           std::all_of(answer.values.begin(), answer.values.end(), [&](const Enclosure& value) {
               return value.lower <= trivial_value.lower && value.upper >= trivial_value.upper;
           });
}

Json json_of(const std::variant<std::optional<double>, bool>& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth;
    const auto& number = std::get<std::optional<double>>(value);
    return number ? json_number(*number) : Json(nullptr);
}

Json error_object(ErrorKind kind, const std::string& parameter, const std::string& message) {
    return {{"kind", to_string(kind)},
            {"parameter", parameter.empty() ? Json(nullptr) : Json(parameter)},
            {"message", one_line(message)}};
}

const Quantity& quantity_of(const Json& request) {
    const auto name = request.find("quantity");
    if (name == request.end())
        throw InputError(ErrorKind::missing_parameter, "quantity", "quantity is missing");
    const Quantity* quantity =
        name->is_string() ? formulas::find_quantity(name->get_ref<const std::string&>()) : nullptr;
    if (quantity == nullptr)
        throw InputError(ErrorKind::unknown_quantity, "quantity",
                         fmt::format("quantity = {} is unknown: `assay eval --list` prints all",
                                     name->is_string() ? name->get<std::string>() : name->dump()));
    return *quantity;
}

/// The quantity's value, or the trivial one when the budget ends before it is known. An evaluation
/// of many parts is asked to stop a little earlier and to answer with what it has.
Answer evaluate(const Quantity& quantity, Arguments arguments, double budget) {
    arguments.deadline = ThreadClock::now() + std::chrono::duration_cast<ThreadClock::duration>(
                                                  std::chrono::duration<double>(0.8 * budget));
    return evaluate_within(budget, [&] { return formulas::evaluate(quantity, arguments); })
        .value_or(quantity.trivial_value);
}

void append_answer(Json& reply, const Json& request, const EvalOptions& options) {
    const Quantity& quantity = quantity_of(request);
    const auto params = request.find("params");
    if (params == request.end())
        throw InputError(ErrorKind::missing_parameter, "params", "params is missing");
    const Answer answer =
        evaluate(quantity, read_arguments(quantity.parameters, *params), options.budget);
    reply["lower"] = ends(answer, [](const Enclosure& value) { return value.lower; });
    reply["upper"] = ends(answer, [](const Enclosure& value) { return value.upper; });
    reply["status"] = is_vacuous(answer, quantity.trivial_value) ? "vacuous" : "certified";
    for (const auto& [key, value] : answer.more) reply[key] = json_of(value);
}

}  // namespace

Json answer_line(std::string_view line, int line_number, const EvalOptions& options, bool& failed) {
    Json reply = Json::object();
    const auto fail = [&](ErrorKind kind, const std::string& parameter,
                          const std::string& message) {
        failed = true;
        reply["error"] = error_object(kind, parameter, message);
    };
    Json request;
    try {
        request = parse_object(std::string(line));
    } catch (const JsonLineError& error) {
        if (!error.id().is_null()) reply["id"] = error.id();
        const std::string where = options.file.empty() ? "line " : options.file + ":";
        fail(ErrorKind::not_json, "", fmt::format("{}{}: {}", where, line_number, error.what()));
        reply["error"]["line"] = line_number;
        return reply;
    }
    for (const char* key : {"id", "quantity", "params"})
        if (request.contains(key)) reply[key] = request[key];
    try {
        append_answer(reply, request, options);
    } catch (const InputError& error) {
        fail(error.kind(), error.parameter(), error.what());
    } catch (const formulas::MissingParameter& error) {
        fail(ErrorKind::missing_parameter, error.parameter(), error.what());
    } catch (const DomainError& error) {
        fail(ErrorKind::domain, error.parameter(), error.what());
    } catch (const std::bad_alloc&) {
        fail(ErrorKind::memory, "", "the memory does not suffice for this value");
    } catch (const std::exception& error) {
        fail(ErrorKind::internal, "", error.what());
    }
    // What is refused is not given back at any length.
    constexpr std::size_t longest_echo = 1024;
    for (const char* key : {"quantity", "params"})
        if (reply.contains("error") && reply.contains(key) &&
            reply[key].dump(-1, ' ', false, Json::error_handler_t::replace).size() > longest_echo)
            reply.erase(key);
    return reply;
}

bool run_eval(std::istream& in, std::ostream& out, std::ostream& err, const EvalOptions& options) {
    bool failed = false;
    answer_lines(in, options.file, out, err, [&](std::string_view line, int number) {
        return answer_line(line, number, options, failed);
    });
    return !failed;
}

}  // namespace assay::cli
