#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "verify/conformance/verdict.hpp"

namespace assay::verify {

/// A question with its certified answer.
struct TestVector {
    std::string id;     ///< the same for the same question in every version of the vectors
    std::string group;  ///< "poisson, add-remove"
    std::string asked;  ///< "epsilon", "delta", ...
    std::string comment;
    std::vector<std::string> flags;
    Json question;  ///< as an adapter gets it, without an id
    CertifiedBracket bracket;
    std::string lower;  ///< as in the file
    std::string upper;

    /// (U - L) / U; 0 where both are equal, infinite where U alone is.
    [[nodiscard]] double gap() const;
};

struct TestVectors {
    std::vector<TestVector> tests;
    std::map<std::string, std::string> flags;  ///< what each flag means, and whom it finds
};

/// The tests of every *.json of a folder (vectors.schema.json left out), files by name.
///   Throws     FileError: a file that is none of vectors, an id that occurs twice, a bracket whose
///              lower end is above the upper; Error where the folder holds no vectors
[[nodiscard]] TestVectors read_test_vectors(const std::filesystem::path& folder);

}  // namespace assay::verify
