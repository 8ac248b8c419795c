#include "assay/dpsgd/training_state.hpp"

#include <cmath>
#include <filesystem>

#include "assay/files/atomic_file.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using Catch::Contains;

namespace {

TrainingState example_state() {
    return {{{"model", "a model of 3"}, {"seed", "7"}},
            12,
            {1.5F, -0.0F, 3e-40F},
            {0.25F},
            {0.1, 1e300}};
}

std::string complaint(const std::filesystem::path& path) {
    try {
        static_cast<void>(read_training_state(path));
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a training state is read as it was written", "[dpsgd]") {
    const ScratchFolder folder("training_state");
    const auto path = folder.path() / "state";
    write_training_state(path, example_state());
    const TrainingState state = read_training_state(path);
    CHECK(state.identity == example_state().identity);
    CHECK(state.steps == 12);
    CHECK(state.parameters == example_state().parameters);
    CHECK(std::signbit(state.parameters[1]));
    CHECK(state.optimiser == example_state().optimiser);
    CHECK(state.log == example_state().log);
}

TEST_CASE("a training state that was cut or changed anywhere is refused", "[dpsgd]") {
    const ScratchFolder folder("training_state");
    const auto path = folder.path() / "state";
    write_training_state(path, example_state());
    const std::string whole = read_file(path);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        write_file_atomically(path, whole.substr(0, length));
        CAPTURE(length);
        CHECK(!complaint(path).empty());
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 4);
        write_file_atomically(path, changed);
        CAPTURE(i);
        CHECK(!complaint(path).empty());
    }
    write_file_atomically(path, "something else");
    CHECK_THAT(complaint(path), Contains("no training state"));
    write_file_atomically(path, "assay training state 1\nmodel a\n\n");
    CHECK_THAT(complaint(path),
               Contains("this training state is of version 1, this program reads version 2"));
}

TEST_CASE("identities that would not read back are refused", "[dpsgd]") {
    const ScratchFolder folder("training_state");
    TrainingState state = example_state();
    state.identity[0].value = "two\nlines";
    CHECK(test_support::refused([&] {
              write_training_state(folder.path() / "state", state);
              return 0;
          }) == "field");
    CHECK(!std::filesystem::exists(folder.path() / "state"));
}
