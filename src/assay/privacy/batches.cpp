#include "assay/privacy/batches.hpp"

#include <cmath>

namespace assay {

std::int64_t complete_batches(std::int64_t dataset_size, std::int64_t batch_size) {
    return dataset_size / batch_size;
}

std::int64_t all_batches(std::int64_t dataset_size, std::int64_t batch_size) {
    return (dataset_size - 1) / batch_size + 1;
}

double steps_of_epochs(double epochs, double batches) {
    const double steps = epochs * batches;
    const double nearest = std::round(steps);
    return std::abs(steps - nearest) <= 1e-12 * nearest ? nearest : std::ceil(steps);
}

}  // namespace assay
