#include "assay/ldp/exact_posterior.hpp"

#include "test_support/enumerated_response.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E[prod theta_i^m_i] under Dir(rho), by falling products from the definition.
Wide dirichlet_moment(const std::vector<double>& rho, const std::vector<int>& powers) {
    Wide moment = 1;
    Wide total = 0;
    int sum = 0;
    for (std::size_t i = 0; i < rho.size(); ++i) {
        for (int j = 0; j < powers[i]; ++j) moment *= Wide(rho[i]) + j;
        total += rho[i];
        sum += powers[i];
    }
    for (int j = 0; j < sum; ++j) moment /= total + j;
    return moment;
}

/// E[prod_t h_t(theta) theta^extra], over every path of unseen categories.
Wide expectation(const std::vector<WideColumn<Wide>>& forms, const std::vector<double>& rho,
                 const std::vector<int>& extra) {
    const std::size_t size = rho.size();
    std::size_t paths = 1;
    for (std::size_t t = 0; t < forms.size(); ++t) paths *= size;
    Wide sum = 0;
    for (std::size_t path = 0; path < paths; ++path) {
        std::vector<int> powers = extra;
        Wide weight = 1;
        std::size_t rest = path;
        for (const WideColumn<Wide>& form : forms) {
            weight *= form[rest % size];
            ++powers[rest % size];
            rest /= size;
        }
        sum += weight * dirichlet_moment(rho, powers);
    }
    return sum;
}

}  // namespace

TEST_CASE("the exact posterior is the sum over all paths", "[ldp]") {
    Random random(541);
    CAPTURE(random.seed());
    for (int i = 0; i < 6 * effort(); ++i) {
        const RestrictedResponse mechanism{.categories = random.integer(2, 4),
                                           .epsilon = random.log_uniform(0.3, 6.0),
                                           .budget_share = random.uniform(0.3, 1.0)};
        std::vector<double> rho;
        for (int x = 0; x < mechanism.categories; ++x) rho.push_back(random.uniform(0.1, 3.0));
        std::vector<AnswerWithSubset> answers;
        std::vector<WideColumn<Wide>> forms;
        for (int t = random.integer(0, 5); t > 0; --t) {
            AnswerWithSubset answer{random.integer(0, mechanism.categories - 1), {}};
            for (int x = 0; x < mechanism.categories; ++x)
                if (random.integer(0, 1) == 0) answer.subset.push_back(x);
            const WideMatrix<Wide> g = enumerate_matrix(mechanism, answer.subset);
            forms.push_back(g[static_cast<std::size_t>(answer.response)]);
            answers.push_back(answer);
        }
        const ExactPosterior posterior = exact_posterior(mechanism, rho, answers);
        const std::vector<int> none(rho.size());
        const Wide evidence = expectation(forms, rho, none);
        if (forms.empty())
            CHECK(posterior.log_marginal_likelihood.is_zero());
        else
            CHECK_THAT(to_enclosure(posterior.log_marginal_likelihood),
                       Encloses(log(evidence), 1e-14));
        for (std::size_t x = 0; x < rho.size(); ++x) {
            std::vector<int> once = none;
            std::vector<int> twice = none;
            once[x] = 1;
            twice[x] = 2;
            const Wide mean = expectation(forms, rho, once) / evidence;
            const Wide square = expectation(forms, rho, twice) / evidence;
            CHECK_THAT(to_enclosure(posterior.mean[x]), Encloses(mean, 1e-14));
            CHECK_THAT(to_enclosure(posterior.variance[x]), Encloses(square - mean * mean, 1e-13));
        }
    }
}

TEST_CASE("independent values of a posterior", "[ldp]") {
    // Values of 22 digits, computed outside this project's code.
    const RestrictedResponse mechanism{.categories = 2, .epsilon = 1.0, .budget_share = 0.9};
    const std::vector<AnswerWithSubset> answers{{0, {}}, {0, {}},  {0, {0}},
                                                {1, {}}, {0, {1}}, {0, {1}}};
    const ExactPosterior posterior = exact_posterior(mechanism, std::vector{2.0, 1.0}, answers);
    CHECK_THAT(to_enclosure(posterior.mean[0]), encloses_printed("0.7865557991596073761375"));
    CHECK_THAT(to_enclosure(posterior.variance[1]), encloses_printed("0.03012979195665653796380"));
    CHECK_THAT(to_enclosure(posterior.log_marginal_likelihood),
               encloses_printed("-3.561932322180940872613"));
}

TEST_CASE("more answers than can be expanded are refused", "[ldp]") {
    const RestrictedResponse mechanism{.categories = 8, .epsilon = 1.0, .budget_share = 0.9};
    const std::vector<double> rho(8, 1.0);
    const std::vector<AnswerWithSubset> many(40, {0, {}});
    CHECK(refused([&] { return exact_posterior(mechanism, rho, many); }) == "answers");
    CHECK(refused([&] { return exact_posterior(mechanism, std::vector{1.0}, {}); }) == "rho");
    CHECK(refused([&] { return exact_posterior(mechanism, std::vector<double>(8, 0.0), {}); }) ==
          "rho");
}
