#include "assay/dpsgd/training_state.hpp"

namespace assay {

namespace {

constexpr StateFormat format{"training state", 2};

}  // namespace

void write_training_state(const std::filesystem::path& path, const TrainingState& state) {
    StateWriter writer(format, state.identity);
    writer.reserve(state.parameters.size() * sizeof(float) +
                   state.optimiser.size() * sizeof(float) + state.log.size() * sizeof(double) +
                   4 * sizeof(std::uint64_t));
    writer.number(state.steps);
    writer.numbers(state.parameters);
    writer.numbers(state.optimiser);
    writer.numbers(state.log);
    writer.write(path);
}

TrainingState read_training_state(const std::filesystem::path& path) {
    StateReader reader(path, format);
    TrainingState state;
    state.identity = reader.identity();
    state.steps = reader.number<std::int64_t>();
    state.parameters = reader.numbers<float>();
    state.optimiser = reader.numbers<float>();
    state.log = reader.numbers<double>();
    reader.require_end();
    return state;
}

}  // namespace assay
