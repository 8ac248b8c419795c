#include "assay/ldp/grouped_responses.hpp"

namespace assay {

void GroupedResponses::absorb(const ResponseHistory& history) {
    const std::span<const ResponseHistory::Response> responses = history.responses();
    for (; absorbed_ < responses.size(); ++absorbed_) {
        const ResponseHistory::Response response = responses[absorbed_];
        const auto next = static_cast<std::uint32_t>(groups_.size());
        const std::uint32_t number = index_.intern(
            hash(response), next,
            [&](std::uint32_t other) { return groups_[other].response == response; },
            [&](std::uint32_t other) { return hash(groups_[other].response); });
        if (number == next) groups_.push_back({.response = response});
        ++groups_[number].count;
    }
}

}  // namespace assay
