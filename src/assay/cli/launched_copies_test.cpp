#include "assay/cli/launched_copies.hpp"

#include <cstdlib>
#include <map>
#include <optional>

#include "test_support/test_support.hpp"

using namespace assay::cli;

namespace {

/// Sets variables of the environment, or removes them, and puts back what was there.
class Environment {
public:
    explicit Environment(const std::map<std::string, std::string>& values) {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",
                                 "PMI_RANK", "SLURM_STEP_ID"}) {
            const char* text = std::getenv(name);
            before_[name] = text == nullptr ? std::nullopt : std::optional<std::string>(text);
            const auto found = values.find(name);
            set(name,
                found == values.end() ? std::nullopt : std::optional<std::string>(found->second));
        }
    }
    ~Environment() {
        for (const auto& [name, value] : before_) set(name, value);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    static void set(const std::string& name, const std::optional<std::string>& value) {
        if (value)
            ::setenv(name.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name.c_str());
    }
    std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace

TEST_CASE("copies that a launcher started", "[cli]") {
    struct Case {
        std::map<std::string, std::string> environment;
        int count, index;
    };
    for (const Case& c :
         {Case{{}, 1, 0},
          Case{{{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}}, 4, 2},
          Case{{{"OMPI_COMM_WORLD_SIZE", "1"}}, 1, 0},
          Case{{{"PMI_SIZE", "3"}, {"PMI_RANK", "1"}}, 3, 1},
          Case{{{"PMI_SIZE", "3"}, {"SLURM_STEP_ID", "0"}}, 1, 0},
          Case{{{"OMPI_COMM_WORLD_SIZE", "2"}, {"SLURM_STEP_ID", "0"}}, 2, 0},
          Case{{{"OMPI_COMM_WORLD_SIZE", "many"}}, 1, 0},
          Case{{{"OMPI_COMM_WORLD_SIZE", ""}}, 1, 0}}) {
        const Environment environment(c.environment);
        CAPTURE(c.environment);
        CHECK(launched_copies().count == c.count);
        CHECK(launched_copies().index == c.index);
    }
}
