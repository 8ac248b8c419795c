#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/ldp/intern_index.hpp"
#include "assay/ldp/response_history.hpp"

namespace assay {

/// The answers of a history, equal ones together: what samplers and estimators that look at all
/// answers go through.
///   Memory     12 bytes a group and 6 to 12 of its index, times at most 2
class GroupedResponses {
public:
    struct Group {
        ResponseHistory::Response response;
        std::uint32_t count = 0;
        bool operator==(const Group&) const = default;
    };

    /// Takes in what the history has got since the last call; always the same history.
    ///   Cost       O(1) an answer
    void absorb(const ResponseHistory& history);

    /// In the order in which they first came.
    [[nodiscard]] std::span<const Group> groups() const { return groups_; }

private:
    [[nodiscard]] static std::uint64_t hash(ResponseHistory::Response response) {
        return InternIndex::mix(std::uint64_t{response.set} << 32U | response.category);
    }

    std::size_t absorbed_ = 0;
    std::vector<Group> groups_;
    InternIndex index_;
};

}  // namespace assay
