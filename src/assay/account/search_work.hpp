#pragma once
#include <cstdint>

#include "assay/numeric/work_limit.hpp"

namespace assay {

/// The work of a search for a parameter, while it lives: its comparisons with the target have most
/// of what is left, the bracket at its end has the rest.
class SearchWork {
public:
    SearchWork() : limit_(part_of_work(0.8)), all_(work_left()) {}

    /// Makes a comparison.    Returns  false where it needs more than three quarters of what is
    /// left
    template <class Use>
    bool compare(const Use& use) const {
        return within_part(0.75, use);
    }
    /// Whether another comparison could tell anything.
    [[nodiscard]] bool is_left() const {
        return static_cast<double>(work_left()) > 0.02 * static_cast<double>(all_);
    }

private:
    WorkLimit limit_;
    std::uint64_t all_;
};

}  // namespace assay
