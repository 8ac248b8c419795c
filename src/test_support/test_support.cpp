#include "test_support/test_support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

// Compiled once: the numbers of 50 digits would take two seconds of every test's compilation.

namespace assay::test_support {

int effort() {
    const char* text = std::getenv("ASSAY_TEST_EFFORT");
    const int value = text == nullptr ? 1 : std::atoi(text);
    return value < 1 ? 1 : value;
}

std::string digits(const Wide& x) {
    return x.str(20);
}

double error_in_ulp(double value, const Wide& exact) {
    const double size = std::fabs(static_cast<double>(exact));
    const double ulp = std::nextafter(size, infinity) - size;
    return static_cast<double>(abs(Wide(value) - exact) / ulp);
}

Encloses::Encloses(Wide truth, double width, double printed)
    : truth_(std::move(truth)), width_(width), printed_(printed) {}

bool Encloses::match(const Enclosure& e) const {
    const Wide slack = abs(truth_) * printed_;
    if (!(e.lower <= e.upper)) return false;
    const bool sound = Wide(e.lower) <= truth_ + slack && truth_ - slack <= Wide(e.upper);
    return sound && Wide(e.upper) - Wide(e.lower) <= abs(truth_) * width_;
}

std::string Encloses::describe() const {
    std::ostringstream text;
    text << "encloses " << digits(truth_) << " with relative width <= " << width_;
    return text.str();
}

bool agrees(const Enclosure& e, double value, double width) {
    const double slack = 1e-13 * std::fabs(value);
    return e.lower <= value + slack && e.upper >= value - slack &&
           e.upper - e.lower <= width * std::fabs(value);
}

Encloses encloses_printed(const char* decimals, double width) {
    return Encloses(Wide(decimals), width, 1e-13);
}

Wide wide_pi() {
    return boost::math::constants::pi<Wide>();
}

double wide_step(double nats, double rate, double sector, double power) {
    double best = 0.0;
    for (int i = 1; i < 60; ++i) {
        const double y = std::min(0.95 * std::numbers::pi / std::max(rate, 1e-9), 40.0) * i / 60.0;
        const double growth = 0.5 * y * y - power * std::log(std::cos(0.5 * sector * y));
        best = std::max(best, 2.0 * std::numbers::pi * y / (nats + growth));
    }
    return best;
}

Wide pair_moment(const Wide& order, const Wide& q, const Wide& x, const Wide& y, double nats) {
    return pair_moment_in<Wide>(order, q, x, y, nats);
}

Wide binomial_moment(const Wide& power, int batch, double dataset, const Wide& shift, double nats) {
    const auto a = static_cast<double>(power);
    const auto c = static_cast<double>(shift);
    const double step =
        wide_step(nats, c, a > 0.0 ? 0.0 : c, a > 0.0 ? 0.0 : -a * static_cast<double>(batch));
    const double reach = std::sqrt(2.0 * nats) + 1.0;
    std::vector<Wide> weights;  // a_n e^{-n^2 c^2/2}
    const Wide p = 1 / Wide(dataset);
    Wide weight = pow(1 - p, batch);
    for (int n = 0; n <= batch; ++n) {
        weights.push_back(weight * exp(-shift * shift * n * n / 2));
        weight *= p / (1 - p) * (batch - n) / (n + 1);
    }
    const double far = a * batch * c;
    return trapezoid(Wide(std::min(0.0, far) - reach), Wide(std::max(0.0, far) + reach), Wide(step),
                     [&](const Wide& z) {
                         const Wide e = exp(shift * z);
                         Wide v = 0;
                         for (std::size_t n = weights.size(); n-- > 0;) v = v * e + weights[n];
                         return Wide(exp(power * log(v)) * normal_density(z));
                     });
}

Wide integer_moment(int order, const Wide& q, const Wide& shift) {
    Wide sum = 0;
    Wide weight = pow(1 - q, order);
    for (int k = 0; k <= order; ++k) {
        sum += weight * exp(shift * shift * k * (k - 1) / 2);
        weight *= q / (1 - q) * (order - k) / (k + 1);
    }
    return sum;
}

Wide divergence(const Wide& moment, const Wide& order) {
    return log(moment) / (order - 1);
}

Wide normal_tail_wide(const Wide& z) {
    return erfc(z / sqrt(Wide(2))) / 2;
}

Wide gaussian_delta_wide(const Wide& noise, const Wide& count, const Wide& epsilon) {
    const Wide shift = sqrt(count) / noise;
    return normal_tail_wide(epsilon / shift - shift / 2) -
           exp(epsilon) * normal_tail_wide(epsilon / shift + shift / 2);
}

Wide one_step_delta_wide(const Wide& q, const Wide& shift, const Wide& epsilon) {
    const Wide z = shift / 2 + log1p(expm1(epsilon) / q) / shift;
    return (1 - q) * normal_tail_wide(z) + q * normal_tail_wide(z - shift) -
           exp(epsilon) * normal_tail_wide(z);
}

}  // namespace assay::test_support

std::string Catch::StringMaker<assay::Enclosure>::convert(const assay::Enclosure& e) {
    std::ostringstream text;
    text.precision(17);
    text << '[' << e.lower << ", " << e.upper << ']';
    return text.str();
}
