#pragma once
#include <cstdint>
#include <string>

namespace assay::cli {

/// How far a training run is.
struct TrainingStatus {
    std::int64_t steps = 0;
    std::int64_t total_steps = 0;
    double loss = 0.0;  ///< of the last batch
    std::string score_name;
    double score = 0.0;      ///< of that epoch, or of the last batch before its end
    std::string epsilon;     ///< upper side after that epoch; of the whole run before the first
    std::int64_t epoch = 0;  ///< the last one that ended
    double seconds_left = 0.0;
};

/// "step 12 of 90, loss 0.4312, accuracy 0.8800 and epsilon <= 3.21 after epoch 1, 12 s left".
[[nodiscard]] std::string training_status(const TrainingStatus& status);

}  // namespace assay::cli
