#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace assay {

/// Which side of the truth a number stands on.
enum class Direction { lower, estimate, upper };

/// `published`: a peer-reviewed theorem; `ours`: proved in docs/proofs.md, not peer-reviewed.
enum class Standing { published, ours };

/// `vacuous`: nothing could be certified and the value is the trivial one.
enum class Status { certified, vacuous };

/// A citation with its standing; constants live in assay/privacy/citations.hpp.
struct Theorem {
    std::string_view citation;
    Standing standing = Standing::published;

    friend bool operator==(const Theorem&, const Theorem&) = default;
};

/// A number, the side it is on, and the theorem it rests on.
struct Bound {
    double value = 0.0;
    Direction direction = Direction::estimate;
    Theorem theorem;
    Status status = Status::certified;
};

/// The trivial bound of a non-negative quantity: +inf above, 0 below.
[[nodiscard]] Bound vacuous(Direction direction, Theorem theorem);

/// The one place that refuses a contradictory answer: lower > upper, or a NaN among them.
///   `question` names what was asked; it is called only for the message.
///   Throws  InternalError
void require_ordered(double lower, double upper, const std::function<std::string()>& question);

[[nodiscard]] std::string_view to_string(Direction direction);
[[nodiscard]] std::string_view to_string(Standing standing);
[[nodiscard]] std::string_view to_string(Status status);

}  // namespace assay
