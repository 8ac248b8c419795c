#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verify/point.hpp"

namespace assay::verify {

/// How a coordinate is drawn between `low` and `high`.
///   linear         uniform
///   logarithmic    log-uniform (low > 0)
///   above_one      1 + a log-uniform number between low - 1 and high - 1 (orders)
///   probability    a fair coin decides whether q or 1-q is log-uniform; low and 1-high are the
///                  smallest values of either
enum class Scale { linear, logarithmic, above_one, probability };

/// One coordinate: its distribution, and the values of special interest among which it is drawn as
/// well.
struct Dimension {
    std::string name;
    Scale distribution = Scale::linear;
    double low = 0.0;
    double high = 1.0;
    bool integer = false;
    std::vector<double> corners;
};

/// The points at which a check is tried.
struct Space {
    std::vector<Dimension> dimensions;
    /// Constraints between coordinates (|B| < |D|); a draw that fails is drawn again.
    std::function<bool(const Point&)> admits;
    /// Every how manyth draw takes each coordinate from its corners; the others do so by chance.
    static constexpr std::uint64_t corner_period = 4;
};

/// Draw number `index` of the stream (seed, name): a function of nothing else, so neither thread
/// nor order decides. Throws Error when 1000 attempts in a row are not admitted.
[[nodiscard]] Point draw(const Space& space, std::uint64_t seed, std::string_view name,
                         std::uint64_t index);

/// `count` points of the product of all corners, evenly strided through it; fewer where it is
/// small.
[[nodiscard]] std::vector<Point> grid(const Space& space, std::size_t count);

/// The space cut to a region such as "sigma=10:30 q=0.3 alpha=2:60": intervals replace low and high
/// (log-uniform where their ratio exceeds 10), single values fix a coordinate, corners are dropped.
/// Throws Error for a coordinate that the space does not have.
[[nodiscard]] Space restricted(Space space, std::string_view region);

/// Uniform numbers in (0,1) of the counter-based stream (seed, name, index).
class Draws {
public:
    Draws(std::uint64_t seed, std::string_view name, std::uint64_t index);
    [[nodiscard]] double uniform();
    [[nodiscard]] double normal();
    [[nodiscard]] std::size_t below(std::size_t count);

private:
    std::uint64_t key_[2];
    std::uint64_t counter_[4];
    std::uint64_t block_[4] = {};
    int left_ = 0;
};

/// A coordinate's value moved at random by a step of relative size `scale`, within its bounds.
[[nodiscard]] double perturbed(const Dimension& dimension, double value, double scale,
                               Draws& draws);

}  // namespace assay::verify
