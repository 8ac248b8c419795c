#include "assay/files/file_lock.hpp"

#include <filesystem>
#include <optional>
#include <string>

#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("a state is used by one run at a time", "[files]") {
    const ScratchFolder folder("lock");
    const auto state = folder.path() / "collection";
    const auto lock = folder.path() / "collection.assay-lock";
    std::optional<FileLock> first(state);
    CHECK(std::filesystem::exists(lock));
    CHECK_THROWS_WITH(FileLock(state), Catch::Contains("another run uses it (process "));
    const FileLock other(folder.path() / "another");
    first.reset();
    CHECK_FALSE(std::filesystem::exists(lock));
    const FileLock second(state);
    CHECK_THROWS_AS(FileLock(folder.path() / "missing" / "state"), FileError);
}
