#include "assay/numeric/directed.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

double widen_up(double x, int ulps) {
    require(!std::isnan(x), "x", x, "a number");
    for (int i = 0; i < ulps; ++i) x = std::nextafter(x, infinity);
    return x;
}

double widen_down(double x, int ulps) {
    require(!std::isnan(x), "x", x, "a number");
    for (int i = 0; i < ulps; ++i) x = std::nextafter(x, -infinity);
    return x;
}

double round_up(real x) {
    const auto nearest = static_cast<double>(x);
    require(!std::isnan(nearest), "x", nearest, "a number");
    return static_cast<real>(nearest) < x ? std::nextafter(nearest, infinity) : nearest;
}

double round_down(real x) {
    const auto nearest = static_cast<double>(x);
    require(!std::isnan(nearest), "x", nearest, "a number");
    return static_cast<real>(nearest) > x ? std::nextafter(nearest, -infinity) : nearest;
}

}  // namespace assay
