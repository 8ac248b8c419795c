#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "verify/oracles/interval.hpp"
#include "verify/space.hpp"

namespace assay::verify {

/// What a subject is held to at every point, s its answer and t the truth.
///   encloses   s.lower <= t <= s.upper
///   at_least   t <= s.upper                 (an upper bound)
///   at_most    s.lower <= t                 (a lower bound)
///   overlaps   s and t have a point in common (two routes to one number)
enum class Relation { encloses, at_least, at_most, overlaps };

/// check: library against oracle; law: library against itself; attack: a theorem against explicit
/// examples; control: a subject known to be wrong, which has to be refuted.
enum class Kind { check, law, attack, control };

enum class Tier { quick, full };

/// One row of the verification: a statement, and where it is tried.
struct Check {
    std::string id;       // "exact.poisson_add_remove.encloses"
    std::string claim;    // one sentence with its source
    std::string subject;  // the names of the two sides, for the reader
    std::string oracle;
    Relation relation = Relation::encloses;
    Kind kind = Kind::check;
    Space space;
    int quick_points = 0;
    int full_points = 0;
    std::function<Enclosure(const Point&)> evaluate;
    std::function<Interval(const Point&, long bits)> truth;
    /// Answers wider than this (relative to the truth) are violations too; inf: any width is
    /// allowed.
    double widest = std::numeric_limits<double>::infinity();
    /// Truths smaller than this may have answers of any width.
    double narrow_from = 0.0;
    /// Minimise the margin instead of trying points at random.
    bool searched = false;
};

[[nodiscard]] constexpr std::string_view to_string(Relation relation) {
    switch (relation) {
        case Relation::encloses: return "encloses";
        case Relation::at_least: return "at least";
        case Relation::at_most: return "at most";
        default: return "overlaps";
    }
}

[[nodiscard]] constexpr std::string_view to_string(Kind kind) {
    switch (kind) {
        case Kind::check: return "check";
        case Kind::law: return "law";
        case Kind::attack: return "attack";
        default: return "control";
    }
}

[[nodiscard]] constexpr std::string_view to_string(Tier tier) {
    return tier == Tier::quick ? "quick" : "full";
}

}  // namespace assay::verify
