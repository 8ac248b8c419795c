#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

using lemma::real;

constexpr double pi = std::numbers::pi;

/// Points are kept this far inside the ball, so that rounding cannot carry a configuration out of
/// what is attainable.
constexpr real inside = 1.0L - 0x1p-50L;

struct Vector {
    real x = 0, y = 0, z = 0;
};
Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vector scaled(const Vector& a, real s) {
    return {a.x * s, a.y * s, a.z * s};
}
real dot(const Vector& a, const Vector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
real norm(const Vector& a) {
    return std::hypot(a.x, a.y, a.z);
}
/// At a radius (a fraction of the clip norm), longitude and latitude; sine and cosine of angles
/// that are rounded multiples of pi/2 are rounded too, which `inside` covers.
Vector at(real radius, real longitude, real latitude = 0) {
    return {radius * std::cos(longitude) * std::cos(latitude),
            radius * std::sin(longitude) * std::cos(latitude), radius * std::sin(latitude)};
}

real clip_norm(const Point& p) {
    return inside / static_cast<real>(p["sigma"]);
}

Shifts in_own_plane(const Vector& u, const Vector& v) {
    const real length = norm(u);
    if (length == 0) return {0, 0, norm(v), 0};
    return {length, 0, dot(u, v) / length, norm(cross(u, v)) / length};
}

}  // namespace

std::vector<Dimension> attack_dimensions(double top_order) {
    return {order_dimension(1.01, top_order), noise_dimension("sigma", 0.3, 100.0),
            probability_dimension(1e-5, 0.99)};
}

std::vector<Dimension> noise_and_probability() {
    return {noise_dimension("sigma", 0.4, 20.0), probability_dimension(1e-3, 0.99)};
}

bool affordable(const Point& p) {
    const double a = p["alpha"];
    const double noise = p["sigma"];
    return 2.0 * a / noise <= 24.0 && a * (a - 1.0) * p["q"] * p["q"] >= 1e-10 * noise * noise;
}

Dimension fraction(const char* name, double low) {
    std::vector<double> corners{low, 0.0, 0.5, 1.0};
    return {name, Scale::linear, low, 1.0, false, corners};
}

Dimension angle(const char* name) {
    return {name, Scale::linear, -pi, pi, false, {-pi / 2, 0.0, pi / 3, 2 * pi / 3, pi}};
}

std::vector<Dimension> plane_points() {
    return {fraction("rx"), fraction("ry"), angle("ty"), fraction("rc"), angle("tc")};
}

Shifts fixed_size_in_plane(const Point& p) {
    const Vector c = at(p["rc"], p["tc"]);
    const Vector u = scaled(at(p["rx"], 0) - c, clip_norm(p));
    const Vector v = scaled(at(p["ry"], p["ty"]) - c, clip_norm(p));
    return {u.x, u.y, v.x, v.y};
}

std::vector<Dimension> space_points() {
    std::vector<Dimension> all = plane_points();
    all.push_back({"pc", Scale::linear, -pi / 2, pi / 2, false, {-pi / 4, 0.0, pi / 2}});
    return all;
}

Shifts fixed_size_in_space(const Point& p) {
    const Vector c = at(p["rc"], p["tc"], p["pc"]);
    const Vector u = scaled(at(p["rx"], 0) - c, clip_norm(p));
    const Vector v = scaled(at(p["ry"], p["ty"]) - c, clip_norm(p));
    return in_own_plane(u, v);
}

std::vector<Dimension> distance_points() {
    return {fraction("lu"), fraction("lv"), angle("tv")};
}

bool within_distance(const Point& p) {
    return affordable(p) && norm(at(p["lu"], 0) - at(p["lv"], p["tv"])) <= 1.0L;
}

Shifts by_distances(const Point& p) {
    const Vector u = scaled(at(p["lu"], 0), 2 * clip_norm(p));
    const Vector v = scaled(at(p["lv"], p["tv"]), 2 * clip_norm(p));
    return {u.x, u.y, v.x, v.y};
}

std::vector<Dimension> poisson_points() {
    return {fraction("rx"), fraction("ry"), angle("ty")};
}

Shifts poisson_in_plane(const Point& p) {
    const Vector u = scaled(at(p["rx"], 0), clip_norm(p));
    const Vector v = scaled(at(p["ry"], p["ty"]), clip_norm(p));
    return {u.x, u.y, v.x, v.y};
}

lemma::MomentAttack attack_of(const Point& p, const Shifts& s) {
    return {p["alpha"], lemma::shifted(p["q"], s.u1, s.u2), lemma::shifted(p["q"], s.v1, s.v2)};
}

std::pair<lemma::PlaneDistribution, lemma::PlaneDistribution> mixtures_on_cells(real q,
                                                                                const Shifts& s,
                                                                                int count) {
    const lemma::Cells across(std::min<real>({0, s.u1, s.v1}) - cells_beyond,
                              std::max<real>({0, s.u1, s.v1}) + cells_beyond, count);
    const lemma::Cells up(std::min<real>({0, s.u2, s.v2}) - cells_beyond,
                          std::max<real>({0, s.u2, s.v2}) + cells_beyond, count);
    const auto mixture = [&](real first, real second) {
        return lemma::PlaneDistribution{{1 - q, across.of(0), up.of(0)},
                                        {q, across.of(first), up.of(second)}};
    };
    return {mixture(s.u1, s.u2), mixture(s.v1, s.v2)};
}

Space space_of(std::vector<Dimension> first, const std::vector<Dimension>& second,
               std::function<bool(const Point&)> admits) {
    first.insert(first.end(), second.begin(), second.end());
    return {std::move(first), std::move(admits)};
}

}  // namespace assay::verify
