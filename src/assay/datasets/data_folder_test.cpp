#include "assay/datasets/data_folder.hpp"

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("a data file is found plain, compressed, and where its archive puts it",
          "[dpsgd][data]") {
    const ScratchFolder scratch("data_folder");
    const auto& folder = scratch.path();
    const auto find = [&] {
        return find_data_file(folder, {"inner"}, {"first.txt", "second.txt"});
    };
    CHECK(complaint(find) == folder.string() + ": has no first.txt or second.txt, plain or .gz");
    std::filesystem::create_directories(folder / "inner" / "first.txt");  // a folder is no file
    const auto inner = write_plain(folder / "inner" / "second.txt.gz", "");
    CHECK(find() == inner);
    const auto second = write_plain(folder / "second.txt", "");
    CHECK(find() == second);
    const auto first_gz = write_plain(folder / "first.txt.gz", "");
    CHECK(find() == first_gz);
    const auto first = write_plain(folder / "first.txt", "");
    CHECK(find() == first);

    CHECK(data_file(folder, {}, {"first.txt"}) == first);
    CHECK(data_file(second, {}, {"first.txt"}) == second);
}

TEST_CASE("a missing folder and a file in its place are told apart", "[dpsgd][data]") {
    const ScratchFolder scratch("data_folder_bad");
    const auto missing = scratch.path() / "none";
    const auto file = write_plain(scratch.path() / "file", "x");
    CHECK(complaint([&] { return find_data_file(missing, {}, {"a"}); }) ==
          missing.string() + ": there is no such folder (--data-folder)");
    CHECK(complaint([&] { return data_file(missing, {}, {"a"}); }) ==
          missing.string() + ": there is no such folder (--data-folder)");
    CHECK(complaint([&] { return find_data_file(file, {}, {"a"}); }) ==
          file.string() + ": this is a file, not the folder of a data set");
}
