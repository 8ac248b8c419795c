#include "verify/oracles/tilted_mixture.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_expect.hpp"

namespace assay::verify::lemma {

TEST_CASE("tilted moments of Poisson steps agree with mpmath", "[verify]") {
    // c = 1/2, q = 1/4, T = 1000, tilt 1, computed independently with 30 digits.
    const TiltedSum sum = mixture_steps(0.5, 0.25, 1000, 1.0, 64);
    check_value(sum.log_mgf, 17.5958692378404911680);
    check_value(sum.mean, 27.3356016172288879243727);
    check_value(sum.variance, 20.5420866440929003576);
    check_value(sum.distance, 0.0399426591691497980290);
}

TEST_CASE("more bits narrow the moments, inside the wider ones", "[verify]") {
    const TiltedSum wide = mixture_steps(1.5, 0.01, 10, 4.0, 64);
    const TiltedSum narrow = mixture_steps(1.5, 0.01, 10, 4.0, 128);
    for (const auto part :
         {&TiltedSum::log_mgf, &TiltedSum::mean, &TiltedSum::variance, &TiltedSum::distance}) {
        CHECK(overlap(wide.*part, narrow.*part));
        CHECK((narrow.*part).relative_width() < 0x1p-100);
    }
}

}  // namespace assay::verify::lemma
