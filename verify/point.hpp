#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay::verify {

/// Named parameter values, in the order they were set: where a check is tried. The doubles are
/// exact, so a subject and its oracle are asked for the very same real number.
class Point {
public:
    struct Coordinate {
        std::string name;
        double value = 0.0;

        friend bool operator==(const Coordinate&, const Coordinate&) = default;
    };

    Point() = default;
    Point(std::initializer_list<Coordinate> coordinates) : coordinates_(coordinates) {}

    /// Throws Error when there is no such coordinate.
    [[nodiscard]] double operator[](std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    /// The value as an integer; throws Error unless it is one.
    [[nodiscard]] long integer(std::string_view name) const;
    /// Adds the coordinate, or replaces its value.
    void set(std::string_view name, double value);

    [[nodiscard]] const std::vector<Coordinate>& coordinates() const { return coordinates_; }
    /// "alpha=60.5 sigma=20 q=0.3 m=60": shortest decimals that read back as the same doubles.
    [[nodiscard]] std::string text() const;
    /// The inverse of text(); commas and semicolons separate too. Throws Error.
    [[nodiscard]] static Point parse(std::string_view text);

    friend bool operator==(const Point&, const Point&) = default;

private:
    std::vector<Coordinate> coordinates_;
};

}  // namespace assay::verify
