#include "verify/conformance/test_vector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

namespace fs = std::filesystem;

double end_of(const Json& test, const char* name) {
    const auto text = test.at(name).get<std::string>();
    const auto value = read_decimal(text);
    if (!value) throw Error(fmt::format("{} = '{}' is not a number", name, text));
    return *value;
}

/// What is asked for, where the question's own word leaves it open: of a null batch size a count.
std::string asked_of(const Json& question) {
    auto asked = question.at("ask").get<std::string>();
    if (asked != "sampling_probability") return asked;
    for (const Json& phase : question.at("release").at("phases"))
        if (phase.contains("batch_size") && phase["batch_size"].is_null()) return "batch_size";
    return asked;
}

TestVector vector_of(const Json& test, const std::string& group) {
    TestVector one;
    one.id = test.at("id").get<std::string>();
    one.group = group;
    one.question = test.at("question");
    one.asked = asked_of(one.question);
    one.comment = test.at("comment").get<std::string>();
    one.flags = test.at("flags").get<std::vector<std::string>>();
    one.bracket = {end_of(test, "lower"), end_of(test, "upper")};
    one.lower = test.at("lower").get<std::string>();
    one.upper = test.at("upper").get<std::string>();
    if (!(one.bracket.lower <= one.bracket.upper))
        throw Error(fmt::format("{}: lower {} is above upper {}", one.id, one.lower, one.upper));
    return one;
}

void append_file(const fs::path& path, TestVectors& vectors) {
    try {
        const Json file = Json::parse(read_file(path));
        for (const Json& group : file.at("testGroups")) {
            const std::string label = fmt::format("{}, {}", group.at("sampling").get<std::string>(),
                                                  group.at("adjacency").get<std::string>());
            for (const Json& test : group.at("tests"))
                vectors.tests.push_back(vector_of(test, label));
        }
        const Json notes = file.value("notes", Json::object());
        for (const auto& [flag, note] : notes.items())
            vectors.flags[flag] = fmt::format("{} {}", note.at("description").get<std::string>(),
                                              note.at("effect").get<std::string>());
    } catch (const Json::exception& error) {
        throw FileError(path.string(), 0, fmt::format("holds no vectors: {}", error.what()));
    } catch (const FileError&) {
        throw;
    } catch (const Error& error) {
        throw FileError(path.string(), 0, error.what());
    }
}

}  // namespace

double TestVector::gap() const {
    if (bracket.lower == bracket.upper) return 0.0;
    if (bracket.upper == std::numeric_limits<double>::infinity()) return bracket.upper;
    return (bracket.upper - bracket.lower) / bracket.upper;
}

TestVectors read_test_vectors(const fs::path& folder) {
    if (!fs::is_directory(folder))
        throw Error(fmt::format("{} is not a folder of vectors", folder.string()));
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    TestVectors vectors;
    for (const fs::path& path : files) append_file(path, vectors);
    if (vectors.tests.empty()) throw Error(fmt::format("no vectors in {}", folder.string()));
    std::set<std::string> ids;
    for (const TestVector& one : vectors.tests)
        if (!ids.insert(one.id).second) throw Error(fmt::format("two vectors have id {}", one.id));
    return vectors;
}

}  // namespace assay::verify
