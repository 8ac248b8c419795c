#include "assay/cli/response_file.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::cli;

namespace {

struct ReadAnswer {
    std::vector<int> members;
    int response = 0;
    bool operator==(const ReadAnswer&) const = default;
};

std::vector<ReadAnswer> read(const std::string& text, int categories) {
    std::istringstream in(text);
    std::vector<ReadAnswer> answers;
    const ResponseSummary found =
        read_responses(in, "r.csv", categories,
                       [&](const CategorySubset& subset, int response, const ResponseSummary&) {
                           ReadAnswer answer{.members = {}, .response = response};
                           for (int i = 0; i < subset.size(); ++i)
                               answer.members.push_back(subset.member(i));
                           answers.push_back(answer);
                       });
    CHECK(found.answers == static_cast<std::int64_t>(answers.size()));
    return answers;
}

/// The line that a text is refused at.
int refused_line(const std::string& text, int categories) {
    try {
        static_cast<void>(read(text, categories));
    } catch (const FileError& error) {
        return error.line();
    }
    return 0;
}

}  // namespace

TEST_CASE("answers are read with their sets, from any common way to write them", "[cli]") {
    CHECK(read("response,subset\n3,1 2\n1,\n2,\n", 3) ==
          std::vector<ReadAnswer>{{{0, 1}, 2}, {{}, 0}, {{}, 1}});
    CHECK(read("# a comment\n\n 2 , \"3  1\"\r\n2,3 1\n", 3) ==
          std::vector<ReadAnswer>{{{2, 0}, 1}, {{2, 0}, 1}});
    CHECK(read("\xEF\xBB\xBFy,S\n1,\n", 3) == std::vector<ReadAnswer>{{{}, 0}});
    CHECK(read("\xEF\xBB\xBF"
               "2,1\t3\r\n3,\r\n",
               3) == std::vector<ReadAnswer>{{{0, 2}, 1}, {{}, 2}});
    CHECK(read("", 3).empty());
}

TEST_CASE("a line that is no answer is named", "[cli]") {
    CHECK(refused_line("1,1\n4,1\n", 3) == 2);
    CHECK(refused_line("0,1\n", 3) == 1);
    CHECK(refused_line("1,1 1\n", 3) == 1);
    CHECK(refused_line("1,1 9\n", 3) == 1);
    CHECK(refused_line("1,1\n\nx,1\n", 3) == 3);
    CHECK(refused_line("1.5,1\n", 3) == 1);
    CHECK(refused_line("1,\n2\n", 3) == 2);
    CHECK(refused_line("1,1;2\n", 3) == 1);
    CHECK(refused_line("1,1\n2\t1\n", 3) == 2);
    CHECK_THROWS_WITH(read("2\t1 3\n", 3), Catch::Contains("a tab and no comma"));
    CHECK(refused_line("1,1\nresponse,subset\n", 3) == 2);
}
