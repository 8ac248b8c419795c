#include "assay/files/atomic_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"

using namespace assay;

TEST_CASE("a file is written whole and read back", "[record]") {
    const ScratchFolder folder("atomic_file");
    const auto path = folder.path() / "new" / "deep" / "file.txt";
    write_file_atomically(path, "first\n");
    CHECK(read_file(path) == "first\n");
    write_file_atomically(path, std::string("zero \0 inside", 13));
    CHECK(read_file(path) == std::string("zero \0 inside", 13));
    write_file_atomically(path, "");
    CHECK(read_file(path).empty());
    CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("what cannot be written throws, and leaves what was there", "[record]") {
    const ScratchFolder folder("atomic_file_refused");
    write_file_atomically(folder.path() / "plain", "kept");
    CHECK_THROWS_AS(write_file_atomically(folder.path() / "plain" / "below", "x"), FileError);
    CHECK_THROWS_WITH(write_file_atomically(folder.path() / "plain" / "below", "x"),
                      Catch::Contains("plain: cannot create this folder"));
    std::filesystem::create_directories(folder.path() / "folder" / "inside");
    CHECK_THROWS_AS(write_file_atomically(folder.path() / "folder", "x"), FileError);
    CHECK(read_file(folder.path() / "plain") == "kept");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("what cannot be read throws by name", "[record]") {
    const ScratchFolder folder("atomic_file_absent");
    CHECK_THROWS_WITH(read_file(folder.path() / "absent.csv"),
                      Catch::Contains("absent.csv: cannot be read: No such file"));
    CHECK_THROWS_WITH(read_file(folder.path()), Catch::Contains("cannot be read: it is a folder"));
    write_file_atomically(folder.path() / "empty", "");
    CHECK(read_file(folder.path() / "empty").empty());
}
