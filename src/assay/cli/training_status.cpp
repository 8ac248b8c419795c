#include "assay/cli/training_status.hpp"

#include <fmt/format.h>

namespace assay::cli {

std::string training_status(const TrainingStatus& status) {
    const std::string known =
        status.epoch > 0
            ? fmt::format(" and epsilon <= {} after epoch {}", status.epsilon, status.epoch)
            : fmt::format(", epsilon <= {} for the whole run", status.epsilon);
    return fmt::format("step {} of {}, loss {:.4f}, {} {:.4f}{}, {:.0f} s left", status.steps,
                       status.total_steps, status.loss, status.score_name, status.score, known,
                       status.seconds_left);
}

}  // namespace assay::cli
