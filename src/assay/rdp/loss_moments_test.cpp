#include "assay/rdp/loss_moments.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Truth {
    Wide log_mgf = 0;
    Wide mean = 0;
    Wide variance = 0;
    Wide fourth = 0;
};

/// Moments of L under P^{t+1} Q^{-t} phi, summed as they are defined.
template <class LogDensities>
Truth truth(const LogDensities& at, const Wide& tilt, const Wide& left, const Wide& right,
            const Wide& step) {
    Truth result;
    const auto weigh = [&](const auto& value) {
        return trapezoid(left, right, step, [&](const Wide& z) {
            const auto [log_p, log_q] = at(z);
            return exp((tilt + 1) * log_p - tilt * log_q) * normal_density(z) *
                   value(log_p - log_q);
        });
    };
    const Wide total = weigh([](const Wide&) { return Wide(1); });
    result.log_mgf = log(total);
    result.mean = weigh([](const Wide& l) { return l; }) / total;
    result.variance =
        weigh([&](const Wide& l) { return (l - result.mean) * (l - result.mean); }) / total;
    result.fourth = weigh([&](const Wide& l) -> Wide {
                        const Wide square = (l - result.mean) * (l - result.mean);
                        return square * square;
                    }) /
                    total;
    return result;
}

void check_moments(const LikelihoodRatio& pair, real tilt, const Truth& exact) {
    const auto moments = tilted_loss_moments(pair, tilt);
    REQUIRE(moments);
    CAPTURE(digits(exact.mean), digits(exact.variance), digits(exact.fourth),
            digits(exact.log_mgf));
    CHECK(Wide(moments->log_mgf) <= exact.log_mgf);
    CHECK(Wide(moments->log_mgf) >= exact.log_mgf - Wide(1e-14) * (1 + abs(exact.log_mgf)));
    CHECK(abs(Wide(moments->mean) - exact.mean) <= Wide(moments->mean_error));
    CHECK(Wide(moments->mean_error) <=
          Wide(1e-10) * sqrt(exact.variance) + Wide(1e-14) * abs(exact.mean));
    CHECK(abs(Wide(moments->variance) / exact.variance - 1) <= Wide(moments->variance_error));
    CHECK(moments->variance_error < 1e-6L);
    CHECK(Wide(moments->fourth) >= exact.fourth);
    CHECK(Wide(moments->fourth) <= exact.fourth * (1 + Wide(2e-6)));
}

}  // namespace

TEST_CASE("tilted moments of collinear pairs against their definitions", "[loss_moments]") {
    struct Case {
        double q, x, y, tilt;
    };
    for (const Case& p : {Case{0.01, 0.5, 0.0, 0.0}, Case{0.01, 0.5, 0.0, 6.0},
                          Case{0.3, 1.0, -1.0, 1.5}, Case{0.9, 0.0, -0.7, 3.0}}) {
        CAPTURE(p.q, p.x, p.y, p.tilt);
        const auto at = [&](const Wide& z) {
            const auto log_mixture = [&](double shift) -> Wide {
                return log1p(Wide(p.q) * expm1(Wide(shift) * (z - Wide(shift) / 2)));
            };
            return std::pair<Wide, Wide>{log_mixture(p.x), log_mixture(p.y)};
        };
        const Wide right = 14 + (Wide(p.tilt) + 1) * 2;
        check_moments(CollinearPair(p.q, p.x, p.y), static_cast<real>(p.tilt),
                      truth(at, p.tilt, Wide(-14), right, Wide(1) / 6));
    }
}

TEST_CASE("q = 1: the loss is normal", "[loss_moments]") {
    // L = c z - c^2/2 under N(c(1+t), 1): mean c^2/2 + t c^2, variance c^2, fourth 3 c^4.
    for (const double c : {0.01, 1.0, 3.0})
        for (const double tilt : {0.0, 0.7, 12.0}) {
            CAPTURE(c, tilt);
            Truth exact;
            const Wide square = Wide(c) * Wide(c);
            exact.log_mgf = Wide(tilt) * (Wide(tilt) + 1) * square / 2;
            exact.mean = square / 2 + Wide(tilt) * square;
            exact.variance = square;
            exact.fourth = 3 * square * square;
            check_moments(CollinearPair(1.0L, c, 0.0L), tilt, exact);
            check_moments(CollinearPair(1.0L, 0.0L, -static_cast<real>(c)), tilt, exact);
        }
}

TEST_CASE("tilted moments of the binomial pair", "[loss_moments]") {
    for (const double tilt : {0.0, 2.0}) {
        const auto at = [](const Wide& z) {
            Wide weight = pow(1 - Wide(1) / 50, 4);
            Wide v = 0;
            for (int n = 0; n <= 4; ++n) {
                v += weight * exp(Wide(0.4L) * n * (z - Wide(0.4L) * n / 2));
                weight *= Wide(4 - n) / (n + 1) / 49;
            }
            return std::pair<Wide, Wide>{log(v), 0};
        };
        check_moments(BinomialPair(4, 50, 0.4L, true), static_cast<real>(tilt),
                      truth(at, tilt, Wide(-14), Wide(14 + 1.6 * (tilt + 1.0)), Wide(1) / 5));
    }
}

TEST_CASE("K is the Renyi divergence of order t + 1, times t", "[loss_moments]") {
    const auto moments = tilted_loss_moments(CollinearPair(0.02, 1.0L, 0.0L), 4.0L);
    REQUIRE(moments);
    CHECK(abs(Wide(moments->log_mgf) - log(integer_moment(5, 0.02, 1))) < Wide(1e-14));
}

TEST_CASE("one sampler for many tilts, in any order", "[loss_moments]") {
    const CollinearPair pair(0.05, 0.0L, -1.2L);
    LossSampler sampler(pair);
    for (const real tilt : {0.5L, 8.0L, 8.1L, 0.0L, 30.0L, 2.0L, 90.0L, 0.5L}) {
        const auto shared = sampler.moments(tilt);
        const auto fresh = tilted_loss_moments(pair, tilt);
        REQUIRE(shared);
        REQUIRE(fresh);
        CAPTURE(tilt);
        CHECK(std::fabs(shared->mean - fresh->mean) <= shared->mean_error + fresh->mean_error);
        CHECK(std::fabs(shared->variance / fresh->variance - 1.0L) <=
              2.0L * (shared->variance_error + fresh->variance_error));
        CHECK(std::fabs(shared->log_mgf - fresh->log_mgf) <= 1e-13L * (1.0L + fresh->log_mgf));
        CHECK(shared->fourth == Approx(static_cast<double>(fresh->fourth)).epsilon(1e-9));
    }
}

TEST_CASE("too many nodes give nothing, a negative tilt is refused", "[loss_moments]") {
    CHECK_FALSE(tilted_loss_moments(CollinearPair(0.01, 40.0L, 0.0L), 1e4L));
    CHECK_THROWS_AS(tilted_loss_moments(CollinearPair(0.01, 1.0L, 0.0L), -1.0L), DomainError);
    CHECK_THROWS_AS(tilted_loss_moments(CollinearPair(0.01, 1.0L, 0.0L), std::nanl("")),
                    DomainError);
}
