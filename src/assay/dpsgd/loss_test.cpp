#include "assay/dpsgd/loss.hpp"

#include <algorithm>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;
using test_support::Wide;

TEST_CASE("softmax cross entropy and its gradient to 50 digits' truth", "[dpsgd]") {
    Random random(3);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 300; ++trial) {
        const auto count = static_cast<std::size_t>(random.integer(2, 12));
        const double scale = random.log_uniform(1e-3, 1e3);
        std::vector<double> logits;
        Wide sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            logits.push_back(random.uniform(-scale, scale));
            sum += exp(Wide(logits.back()));
        }
        const auto label = static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1));
        std::vector<double> gradient = logits;
        const ExampleLoss loss = replace_by_gradient(gradient, static_cast<std::int32_t>(label));
        const Wide exact = log(sum) - Wide(logits[label]);
        CAPTURE(scale, count);
        CHECK(abs(Wide(loss.loss) - exact) <= 1e-15 * scale + 1e-14 * exact);
        bool is_largest = true;
        for (std::size_t k = 0; k < count; ++k) {
            const Wide slope = exp(Wide(logits[k])) / sum - (k == label ? 1 : 0);
            CHECK(abs(Wide(gradient[k]) - slope) <= 1e-15 * (1.0 + scale));
            is_largest = is_largest && logits[k] <= logits[label];
        }
        CHECK(loss.correct == is_largest);
    }
}

TEST_CASE("binary cross entropy and its gradient to 50 digits' truth", "[dpsgd]") {
    for (const double z : {0.0, 1e-9, 0.3, -2.0, 30.0, -40.0, 700.0, -700.0, 1e30, -1e30})
        for (const std::int32_t label : {0, 1}) {
            double gradient = z;
            const ExampleLoss loss = replace_by_gradient(std::span(&gradient, 1), label);
            const Wide likely = 1 / (1 + exp(-Wide(std::clamp(z, -1e4, 1e4))));
            const Wide exact = std::fabs(z) > 1e4 ? Wide(std::max(label == 1 ? -z : z, 0.0))
                                                  : log(1 + exp(label == 1 ? -Wide(z) : Wide(z)));
            CAPTURE(z, label);
            CHECK(abs(Wide(loss.loss) - exact) <= 1e-15 * exact + 1e-16 * abs(Wide(z)));
            CHECK(abs(Wide(gradient) - (likely - label)) <= 1e-15);
            CHECK(loss.correct == ((z > 0.0) == (label == 1)));
        }
}

TEST_CASE("a logit that is not finite makes the loss infinite and every gradient a NaN",
          "[dpsgd]") {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (const std::size_t count : {1U, 3U}) {
            std::vector<float> logits(count, 1.0F);
            logits.back() = bad;
            const ExampleLoss loss = replace_by_gradient(logits, 0);
            CHECK(loss.loss == std::numeric_limits<double>::infinity());
            CHECK_FALSE(loss.correct);
            for (const float gradient : logits) CHECK(std::isnan(gradient));
        }
}

TEST_CASE("logits as far apart as floats are have finite losses", "[dpsgd]") {
    std::vector<float> logits{3e38F, -3e38F, 0.0F};
    const ExampleLoss loss = replace_by_gradient(logits, 1);
    CHECK(loss.loss == Approx(6e38));
    CHECK(logits == std::vector<float>{1.0F, -1.0F, 0.0F});
}
