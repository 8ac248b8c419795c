#include "experiments/aydin2024/sign_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::experiments::aydin2024 {
namespace {

constexpr std::int64_t runs_of_the_paper = 50;
constexpr double minutes_of_the_paper = 10.0;

/// 0 where the first is surely smaller, 1 where nothing is known, 2 where it is surely larger.
double weakness(const SignTest& test) {
    return test.smaller >= test.larger ? test.p_value() : 2.0 - test.p_value();
}

}  // namespace

void SignTests::add(const std::string& name, const SignTest& test) {
    names.push_back(name);
    tests.push_back(test);
}

std::size_t SignTests::significant() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        tests, [](const SignTest& test) { return weakness(test) < significance_level; }));
}

std::size_t SignTests::weakest_index() const {
    return static_cast<std::size_t>(std::ranges::max_element(tests, {}, weakness) - tests.begin());
}

std::string SignTests::weakest() const {
    const std::size_t at = weakest_index();
    const SignTest& test = tests.at(at);
    return fmt::format("{}, smaller in {} runs and larger in {} (p = {:.1g})", names.at(at),
                       test.smaller, test.larger, test.p_value());
}

Basis SignTests::basis(const std::vector<std::string>& details, std::int64_t runs) const {
    Basis basis{
        .criterion = fmt::format(
            "Reproduced if every comparison holds by a two-sided sign test at p < {0}; differs if "
            "one is the other way round at p < {0} over their number, or if no run of it differs.",
            significance_level),
        .details = details};
    if (all_smaller(tests) != Verdict::undecidable) return basis;
    const int pairs =
        tests.empty() ? 0 : tests[weakest_index()].smaller + tests[weakest_index()].larger;
    basis.would_decide = more_runs(pairs, runs);
    return basis;
}

std::string more_runs(int pairs, std::int64_t runs) {
    const bool is_small = runs < runs_of_the_paper;
    const std::int64_t wanted = is_small ? runs_of_the_paper : 4 * runs;
    const double more = static_cast<double>(wanted) / static_cast<double>(runs);
    const double minutes = minutes_of_the_paper * static_cast<double>(wanted) / runs_of_the_paper;
    std::string text =
        is_small ? fmt::format(
                       "The paper's {} runs of each setting (PRESET=paper, about {:g} "
                       "minutes on two cores)",
                       wanted, minutes)
                 : fmt::format("{} runs of each setting (about {:g} minutes on two cores)", wanted,
                               minutes);
    if (pairs == 0) return text + ".";
    // Normal approximation: the quantiles at 1 - 0.01/2 and 0.8.
    const double share = 0.5 + 0.5 * (2.576 + 0.842) / std::sqrt(more * pairs);
    return fmt::format(
        "{}, {:g} pairs, which see with a power of 80 % whether one side is the "
        "smaller in {:.0f} % of them or more.",
        text, more * pairs, 100.0 * std::min(1.0, share));
}

}  // namespace assay::experiments::aydin2024
