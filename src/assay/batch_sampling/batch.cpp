#include "assay/batch_sampling/batch.hpp"

#include <algorithm>

#include "assay/batch_sampling/uniform_index.hpp"

namespace assay {

void fit_to_maximum(Batch& batch, std::optional<std::int64_t> maximum_batch_size,
                    std::uint64_t seed, std::int64_t step) {
    batch.padding = 0;
    if (!maximum_batch_size) return;
    const auto maximum = static_cast<std::size_t>(*maximum_batch_size);
    if (batch.indices.size() > maximum) {
        UniformIndices indices(
            RandomStream(seed, Purpose::batch_truncation, static_cast<std::uint64_t>(step)));
        while (batch.indices.size() > maximum) {
            batch.indices[indices.below(batch.indices.size())] = batch.indices.back();
            batch.indices.pop_back();
        }
    }
    batch.padding = static_cast<std::int64_t>(maximum - batch.indices.size());
}

}  // namespace assay
