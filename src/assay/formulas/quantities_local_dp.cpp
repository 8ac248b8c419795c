#include <fmt/format.h>

#include <algorithm>

#include "assay/formulas/quantities.hpp"
#include "assay/ldp/certified_utilities.hpp"
#include "assay/ldp/exact_posterior.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr std::string_view nats = "nats";
constexpr Parameter categories_{"K", ParameterType::integer, parameter::categories, "categories"};
constexpr Parameter size_{"k", ParameterType::integer, subset_size, "categories"};
constexpr Parameter epsilon_{"eps", ParameterType::number, local_epsilon, nats};
constexpr Parameter kappa{"kappa", ParameterType::number, share, "eps1 / eps"};
constexpr Parameter subset_{"S", ParameterType::category_set, category, "categories"};
constexpr Parameter response_{"y", ParameterType::integer, category, "category"};
constexpr Parameter truth_{"x", ParameterType::integer, category, "category"};
constexpr Parameter counts_{"theta_counts", ParameterType::integer_list, frequencies, "count"};
constexpr Parameter ratio_{"ratio", ParameterType::number, positive, "theta_i / theta_(i+1)"};
constexpr Parameter released_epsilon_{
    "code_eps2", ParameterType::number,
    Domain{"a number in [0, 500]", [](double x) { return x >= 0.0 && x <= 500.0; }}, nats};
constexpr Parameter phi_{"phi_times_10", ParameterType::number_list,
                         Domain{"positive numbers, one a category", positive.contains}, "10 phi"};
constexpr Parameter rho_{"rho", ParameterType::number_list,
                         Domain{"positive numbers, one a category", positive.contains},
                         "prior shape"};
constexpr Parameter data_{"data", ParameterType::answer_list, category, "category"};

constexpr std::string_view mechanism_source = "aydin2024 Theorem 1 and Algorithm 2";

void check_category(const char* name, int category, int categories) {
    if (category > categories)
        throw DomainError(name, fmt::format("{}", category),
                          fmt::format("categories from 1 to {}", categories));
}

void check_length(const char* name, std::size_t length, int categories) {
    if (length != static_cast<std::size_t>(categories))
        throw DomainError(name, fmt::format("{} values", length),
                          fmt::format("one a category, {}", categories));
}

RestrictedResponse mechanism_of(const Arguments& a, int categories) {
    return {
        .categories = categories, .epsilon = a.number("eps"), .budget_share = a.number("kappa")};
}

RestrictedResponse mechanism_of(const Arguments& a) {
    return mechanism_of(a, a.small("K"));
}

/// Categories are numbered from 1 in a line, from 0 inside.
std::vector<int> from_zero(const char* name, std::vector<int> members, int categories) {
    for (int& member : members) {
        check_category(name, member, categories);
        --member;
    }
    return members;
}

CategorySubset subset_of(const Arguments& a, int categories) {
    return {categories, from_zero("S", a.categories("S"), categories)};
}

int size_of(const Arguments& a) {
    const int k = a.small("k");
    if (k > a.small("K"))
        throw DomainError("k", fmt::format("{}", k),
                          fmt::format("an integer from 0 to {}", a.small("K")));
    return k;
}

/// theta by its counts; `K` says how many there are where the quantity takes it.
const std::vector<double>& counts_of(const Arguments& a) {
    const std::vector<double>& counts = a.numbers("theta_counts");
    if (a.has("K")) check_length("theta_counts", counts.size(), a.small("K"));
    if (counts.size() < 2) throw DomainError("theta_counts", "1 value", "at least two categories");
    if (std::all_of(counts.begin(), counts.end(), [](double c) { return c == 0.0; }))
        throw DomainError("theta_counts", "0 everywhere", std::string(frequencies.text));
    return counts;
}

CertifiedUtilities utilities_of(const Arguments& a) {
    const std::vector<double>& counts = counts_of(a);
    const int categories = static_cast<int>(counts.size());
    return {mechanism_of(a, categories), counts, subset_of(a, categories)};
}

std::vector<AnswerWithSubset> data_of(const Arguments& a) {
    const int categories = a.small("K");
    std::vector<AnswerWithSubset> answers;
    for (const Answered& answer : a.answers("data")) {
        check_category("data", answer.y, categories);
        answers.push_back({answer.y - 1, from_zero("data", answer.S, categories)});
    }
    return answers;
}

const std::vector<double>& numbers_of(const Arguments& a, const char* name) {
    check_length(name, a.numbers(name).size(), a.small("K"));
    return a.numbers(name);
}

Answer list_of(const std::vector<RealInterval>& values) {
    std::vector<Enclosure> enclosures;
    enclosures.reserve(values.size());
    for (const RealInterval& value : values) enclosures.push_back(to_enclosure(value));
    return {std::move(enclosures), true};
}

template <CertifiedUtility utility>
Answer evaluate(const Arguments& a) {
    return to_enclosure((utilities_of(a).*utility)());
}

template <CertifiedUtility utility>
Answer evaluate_best(const Arguments& a) {
    const std::vector<double>& counts = counts_of(a);
    const int categories = static_cast<int>(counts.size());
    const CertifiedSize size = certified_best_size(mechanism_of(a, categories), counts, utility);
    Answer answer = Enclosure{static_cast<double>(size.lowest), static_cast<double>(size.highest)};
    answer.is_vacuous = size.lowest == 0 && size.highest == categories - 1;
    return answer;
}

ExactPosterior posterior_of(const Arguments& a) {
    const std::vector<double>& rho = numbers_of(a, "rho");
    const std::vector<AnswerWithSubset> data = data_of(a);
    try {
        return exact_posterior(mechanism_of(a), rho, data);
    } catch (const DomainError& error) {
        if (error.parameter() != "answers") throw;
        throw DomainError("data", error.value(), error.admissible());
    }
}

std::vector<Quantity> mechanism_quantities() {
    return {
        {"rrrr.epsilon_2",
         {categories_, size_, epsilon_, kappa},
         "min(eps, ln((n-1)/(e^(eps1-eps) n - 1))) where eps - eps1 < ln n and k > 0, else eps; "
         "n = K - k, eps1 = kappa eps",
         "aydin2024 Theorem 1",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return to_enclosure(certified_complement_epsilon(mechanism_of(a), size_of(a)));
         }},
        {"rrrr.response_probability",
         {categories_, subset_, epsilon_, kappa, response_, truth_},
         "g(y | x)",
         mechanism_source,
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             const int all = a.small("K");
             check_category("y", a.small("y"), all);
             check_category("x", a.small("x"), all);
             const ResponseLikelihood likelihood(
                 mechanism_of(a), {a.small("y") - 1, from_zero("S", a.categories("S"), all)});
             return to_enclosure(likelihood.coefficient(a.small("x") - 1));
         }},
        {"rrrr.response_marginal",
         {categories_, subset_, epsilon_, kappa, counts_, response_},
         "h(y) = sum_x g(y | x) theta_x, theta_i = c_i / sum c",
         mechanism_source,
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             check_category("y", a.small("y"), a.small("K"));
             return to_enclosure(utilities_of(a).marginal(a.small("y") - 1));
         }},
        {"rrrr.honest_probability_geometric",
         {categories_, size_, epsilon_, kappa, ratio_},
         "P(Y = X), theta_i proportional to ratio^-(i-1), S = {1..k}",
         "aydin2024 Example 1",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return to_enclosure(honest_probability_geometric(
                 certified_distribution(mechanism_of(a), size_of(a)), a.number("ratio")));
         }},
        {"srr.honest_probability",
         {categories_, epsilon_},
         "e^eps / (e^eps + K - 1)",
         "aydin2024 Section 4",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return to_enclosure(standard_honest_probability(a.small("K"), a.number("eps")));
         }},
        {"rrrr.max_log_ratio",
         {categories_, size_, epsilon_, kappa},
         "max over x, x', y of ln(g(y | x) / g(y | x')), S = {1..k}",
         mechanism_source,
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return audit_response(mechanism_of(a), size_of(a)).epsilon;
         }},
        {"rrrr.max_log_ratio_as_released",
         {categories_, size_, epsilon_, kappa, released_epsilon_},
         "the same with eps2 = code_eps2",
         "aydin2024 Algorithm 2",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return audit_response(mechanism_of(a), size_of(a), a.number("code_eps2")).epsilon;
         }},
    };
}

std::vector<Quantity> fisher_quantities() {
    const std::vector<Parameter> by_theta{categories_, subset_, epsilon_, kappa, counts_};
    return {
        {"rrrr.response_matrix_determinant",
         {categories_, subset_, epsilon_, kappa},
         "det G = (g_in(y|y) - g_in(y|x))^k (g_out(y|y) - g_out(y|x))^(K-k-1)",
         "aydin2024 Lemma 1, corrected",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             const CategorySubset subset = subset_of(a, a.small("K"));
             return to_enclosure(
                 response_determinant(certified_distribution(mechanism_of(a), subset.size())));
         }},
        {"rrrr.fisher_determinant", by_theta, "det F = det(G)^2 / prod_y h(y), component K dropped",
         "aydin2024 Proposition 1, corrected", trivial::half_line,
         evaluate<&CertifiedUtilities::fisher_determinant>},
        {"rrrr.trace_full_covariance", by_theta, "tr(G^-1 D G^-T - theta theta^T), D = diag(h)",
         "aydin2024 Proposition 1, corrected", trivial::half_line,
         evaluate<&CertifiedUtilities::trace_full_covariance>},
        {"rrrr.trace_inverse_fisher_drop_last", by_theta, "tr F^-1, component K dropped",
         "aydin2024 Proposition 1, corrected", trivial::half_line,
         [](const Arguments& a) -> Answer {
             return to_enclosure(utilities_of(a).trace_inverse_fisher(a.small("K") - 1));
         }},
        {"rrrr.trace_inverse_fisher_drop_smallest", by_theta,
         "tr F^-1, the smallest theta dropped, of equal ones the last",
         "aydin2024 Proposition 1, corrected", trivial::half_line,
         evaluate<&CertifiedUtilities::trace_inverse_fisher_without_smallest>},
    };
}

template <CertifiedUtility utility>
void add_utility(std::vector<Quantity>& list, std::string_view name, std::string_view best_name,
                 std::string_view formula, std::string_view source, Enclosure range) {
    list.push_back(
        {name, {counts_, epsilon_, kappa, subset_}, formula, source, range, evaluate<utility>});
    list.push_back({best_name,
                    {counts_, epsilon_, kappa},
                    "arg max over k = 0..K-1 of the utility, S the k largest theta",
                    "aydin2024 (5)",
                    trivial::half_line,
                    evaluate_best<utility>});
}

std::vector<Quantity> utility_quantities() {
    using U = CertifiedUtilities;
    constexpr Enclosure below_zero{-trivial::infinity, 0.0};
    constexpr Enclosure minus_unit{-1.0, 0.0};
    std::vector<Quantity> list;
    add_utility<&U::fisher_information>(
        list, "utility.fisher_information", "best_k.fisher_information",
        "U1 = -tr F^-1, the smallest theta dropped, of equal ones the last", "aydin2024 (7)",
        below_zero);
    add_utility<&U::entropy>(list, "utility.entropy", "best_k.entropy", "U2 = sum_y h ln h",
                             "aydin2024 Section 4.2.2", below_zero);
    add_utility<&U::posterior_total_variation>(list, "utility.posterior_total_variation",
                                               "best_k.posterior_total_variation",
                                               "U3 = 1/2 sum_xy |g(y | x) - h(y)| theta_x",
                                               "aydin2024 Section 4.2.3", trivial::unit_interval);
    add_utility<&U::marginal_total_variation>(
        list, "utility.marginal_total_variation", "best_k.marginal_total_variation",
        "U4 = -1/2 sum_y |h(y) - theta_y|", "aydin2024 Section 4.2.3", minus_unit);
    add_utility<&U::mean_squared_error>(
        list, "utility.mean_squared_error", "best_k.mean_squared_error",
        "U5 = sum_xy g(y | x)^2 theta_x^2 / h(y) - 1", "aydin2024 Proposition 3", minus_unit);
    add_utility<&U::honest_response>(list, "utility.honest_response", "best_k.honest_response",
                                     "U6 = P(Y = X)", "aydin2024 (10)", trivial::unit_interval);
    return list;
}

std::vector<Quantity> posterior_quantities() {
    const std::vector<Parameter> by_prior{categories_, epsilon_, kappa, rho_, data_};
    return {
        {"posterior.log_likelihood",
         {categories_, epsilon_, kappa, phi_, data_},
         "sum_t ln h_t(y_t), theta = phi / sum phi, phi_i = phi_times_10_i / 10",
         mechanism_source,
         Enclosure{-trivial::infinity, 0.0},
         [](const Arguments& a) -> Answer {
             return to_enclosure(certified_log_likelihood(
                 mechanism_of(a), numbers_of(a, "phi_times_10"), data_of(a)));
         }},
        {"posterior.gradient_phi",
         {categories_, epsilon_, kappa, phi_, rho_, data_},
         "(rho_i - 1)/phi_i - 1 + sum_t (g_t(y_t | i)/h_t(y_t) - 1) / sum phi, phi_i = "
         "phi_times_10_i / 10",
         "aydin2024 Proposition 4",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return list_of(certified_gradient_phi(mechanism_of(a), numbers_of(a, "phi_times_10"),
                                                   10.0, numbers_of(a, "rho"), data_of(a)));
         }},
        {"posterior.log_marginal_likelihood", by_prior,
         "ln of the integral of prod_t h_t(y_t) over Dir(rho)", "expansion of the likelihood",
         Enclosure{-trivial::infinity, 0.0},
         [](const Arguments& a) -> Answer {
             return to_enclosure(posterior_of(a).log_marginal_likelihood);
         }},
        {"posterior.mean", by_prior, "E[theta_i | data], theta ~ Dir(rho)",
         "expansion of the likelihood", trivial::unit_interval,
         [](const Arguments& a) -> Answer { return list_of(posterior_of(a).mean); }},
        {"posterior.variance", by_prior, "Var[theta_i | data], theta ~ Dir(rho)",
         "expansion of the likelihood", trivial::unit_interval,
         [](const Arguments& a) -> Answer { return list_of(posterior_of(a).variance); }},
    };
}

}  // namespace

std::vector<Quantity> local_dp_quantities() {
    std::vector<Quantity> all;
    for (auto&& topic : {mechanism_quantities(), fisher_quantities(), utility_quantities(),
                         posterior_quantities()})
        all.insert(all.end(), topic.begin(), topic.end());
    return all;
}

}  // namespace assay::formulas
