#pragma once
#include <cstdint>

namespace assay {

/// Batches of one pass over |D| records, the incomplete one left out, or counted.
///   Domain  1 <= |B| <= |D|
[[nodiscard]] std::int64_t complete_batches(std::int64_t dataset_size, std::int64_t batch_size);
[[nodiscard]] std::int64_t all_batches(std::int64_t dataset_size, std::int64_t batch_size);

/// ceil(epochs batches): epsilon grows with the steps, so an incomplete batch or epoch counts. A
/// product within 1e-12 of an integer is that integer.
///   Domain  epochs > 0, batches > 0 (1/q where only the sampling probability is known)
[[nodiscard]] double steps_of_epochs(double epochs, double batches);

}  // namespace assay
