#pragma once
// Catch2 3 under the names of Catch2 2, which the tests are written with: Debian 12 has the one,
// later distributions have the other.
#include <catch2/catch_all.hpp>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Matches;
using Matchers::StartsWith;

inline Matchers::StringContainsMatcher Contains(const std::string& part) {
    return Matchers::ContainsSubstring(part);
}

template <class T>
using MatcherBase = Matchers::MatcherBase<T>;

}  // namespace Catch

using Catch::Approx;
