#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

std::vector<double> inside(std::vector<double> corners, double low, double high) {
    std::erase_if(corners, [&](double corner) { return corner < low || corner > high; });
    return corners;
}

}  // namespace

Dimension order_dimension(double low, double high) {
    // Near 1, at integers, beside integers, and large.
    return {"alpha",
            Scale::above_one,
            low,
            high,
            false,
            inside({1.000001, 1.001, 1.01, 1.5, 2.0, 2.0000000001, 2.5, 3.0, 4.0, 4.999999999, 10.9,
                    16.0, 32.0, 60.5, 64.0, 256.0, 1000.0, 10000.0},
                   low, high)};
}

Dimension integer_order_dimension(double high) {
    return {"alpha", Scale::logarithmic,
            2.0,     high,
            true,    inside({2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0}, 2.0, high)};
}

Dimension noise_dimension(const char* name, double low, double high) {
    return {
        name,  Scale::logarithmic,
        low,   high,
        false, inside({0.05, 0.3, 0.5, 1.0, 2.0, 6.0, 20.0, 100.0, 1000.0, 10000.0}, low, high)};
}

Dimension probability_dimension(double low, double high) {
    return {"q",
            Scale::probability,
            low,
            high,
            false,
            inside({1e-12, 1e-9, 1e-5, 0.0024, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999, 1.0 - 1e-9,
                    largest_probability},
                   low, high)};
}

Dimension terms_dimension(double high) {
    return {"m",  Scale::linear, 3.0,
            high, true,          inside({3.0, 4.0, 5.0, 6.0, 24.0, 64.0}, 3.0, high)};
}

Dimension count_dimension(const char* name, double low, double high, std::vector<double> corners) {
    return {name, Scale::logarithmic, low, high, true, inside(std::move(corners), low, high)};
}

Dimension epsilon_dimension(double high) {
    return {"eps", Scale::logarithmic,
            1e-3,  high,
            false, inside({0.0, 0.1, 0.5, 1.0, 4.0, 12.0}, 0.0, high)};
}

Dimension positive_dimension(const char* name, double low, double high,
                             std::vector<double> corners) {
    return {name, Scale::logarithmic, low, high, false, std::move(corners)};
}

Dimension linear_dimension(const char* name, double low, double high, std::vector<double> corners) {
    return {name, Scale::linear, low, high, false, std::move(corners)};
}

}  // namespace assay::verify
