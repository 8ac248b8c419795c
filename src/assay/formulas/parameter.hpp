#pragma once
#include <cmath>
#include <string_view>

namespace assay::formulas {

enum class ParameterType {
    number,
    integer,
    number_list,
    integer_list,
    category_set,  // integers, each once; may be empty
    answer_list,   // objects {y, S}: a category and the category_set it was asked with
    text
};

[[nodiscard]] constexpr std::string_view to_string(ParameterType type) {
    switch (type) {
        case ParameterType::number: return "number";
        case ParameterType::integer: return "integer";
        case ParameterType::number_list: return "list of numbers";
        case ParameterType::integer_list: return "list of integers";
        case ParameterType::category_set: return "list of distinct integers";
        case ParameterType::answer_list: return "list of {y, S}";
        default: return "text";
    }
}

/// What is admitted, for a reader and for the program (for lists: of every element).
struct Domain {
    std::string_view text;
    bool (*contains)(double) = [](double) { return true; };
};

struct Parameter {
    std::string_view name;
    ParameterType type = ParameterType::number;
    Domain domain;
    std::string_view unit;
    bool optional = false;
};

/// The parameters that quantities share. Numbers are finite besides what the domain says.
namespace parameter {

inline constexpr Domain order{"alpha > 1", [](double x) { return x > 1.0; }};
inline constexpr Domain integer_order{"an integer from 2 to 1000000",
                                      [](double x) { return x >= 2.0 && x <= 1e6; }};
inline constexpr Domain positive{"a positive number", [](double x) { return x > 0.0; }};
inline constexpr Domain finite{"a finite number"};
inline constexpr Domain probability{"0 <= q < 1", [](double x) { return x >= 0.0 && x < 1.0; }};
inline constexpr Domain interior{"0 < delta < 1", [](double x) { return x > 0.0 && x < 1.0; }};
inline constexpr Domain nonnegative{"a number >= 0", [](double x) { return x >= 0.0; }};
inline constexpr Domain terms{"an integer from 3 to 1000",
                              [](double x) { return x >= 3.0 && x <= 1000.0; }};
inline constexpr Domain moment{"an integer from 0 to 1000000",
                               [](double x) { return x >= 0.0 && x <= 1e6; }};
inline constexpr Domain odd_moment{"an odd integer from 1 to 10001", [](double x) {
                                       return x >= 1.0 && x <= 10001.0 && std::fmod(x, 2.0) == 1.0;
                                   }};
inline constexpr Domain coefficient{"an integer from 1 to 1000",
                                    [](double x) { return x >= 1.0 && x <= 1000.0; }};
inline constexpr Domain count{"an integer from 1 to 1e15",
                              [](double x) { return x >= 1.0 && x <= 1e15; }};
inline constexpr Domain counts{"integers from 0 to B",
                               [](double x) { return x >= 0.0 && x <= 1e15; }};

inline constexpr Domain categories{"an integer from 2 to 1000000",
                                   [](double x) { return x >= 2.0 && x <= 1e6; }};
inline constexpr Domain category{"categories from 1 to K",
                                 [](double x) { return x >= 1.0 && x <= 1e6; }};
inline constexpr Domain subset_size{"an integer from 0 to K",
                                    [](double x) { return x >= 0.0 && x <= 1e6; }};
inline constexpr Domain local_epsilon{"a number in (0, 500]",
                                      [](double x) { return x > 0.0 && x <= 500.0; }};
inline constexpr Domain share{"a number in [0, 1]", [](double x) { return x >= 0.0 && x <= 1.0; }};
inline constexpr Domain frequencies{"integers from 0 to 1e15, one a category, one of them positive",
                                    [](double x) { return x >= 0.0 && x <= 1e15; }};

inline constexpr std::string_view noise_unit = "noise std / clip norm";

inline constexpr Parameter alpha{"alpha", ParameterType::number, order, "1"};
inline constexpr Parameter integer_alpha{"alpha", ParameterType::integer, integer_order, "1"};
inline constexpr Parameter sigma{"sigma", ParameterType::number, positive, noise_unit};
inline constexpr Parameter s{"s", ParameterType::number, positive, "noise std / sensitivity"};
inline constexpr Parameter q{"q", ParameterType::number, probability, "probability"};
inline constexpr Parameter m{"m", ParameterType::integer, terms, "Taylor terms"};
inline constexpr Parameter B{"B", ParameterType::integer, count, "records"};
inline constexpr Parameter D{"D", ParameterType::integer, count, "records"};
inline constexpr Parameter K{"K", ParameterType::integer, count, "terms"};
inline constexpr Parameter rdp{"rdp", ParameterType::number, nonnegative, "nats"};
inline constexpr Parameter delta{"delta", ParameterType::number, interior, "probability"};
inline constexpr Parameter eps{"eps", ParameterType::number, finite, "nats"};

}  // namespace parameter

}  // namespace assay::formulas
