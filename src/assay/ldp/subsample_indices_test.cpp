#include "assay/ldp/subsample_indices.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include "assay/numeric/random_streams.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

using boost::multiprecision::cpp_int;

const cpp_int two_64 = cpp_int(1) << 64;

/// q with total^q <= 2^56, at most 4, as the card says.
std::size_t digits_a_word(std::uint64_t total) {
    cpp_int bound = total;
    std::size_t digits = 1;
    while (digits < 4 && bound * total <= (cpp_int(1) << 56)) {
        bound *= total;
        ++digits;
    }
    return digits;
}

/// The digits of floor(word total^q / 2^64), leading first.
std::vector<std::uint32_t> digits_of(std::uint64_t word, std::uint64_t total) {
    cpp_int number = word * pow(cpp_int(total), static_cast<unsigned>(digits_a_word(total))) >> 64;
    std::vector<std::uint32_t> digits(digits_a_word(total));
    for (std::size_t i = digits.size(); i-- > 0; number /= total)
        digits[i] = static_cast<std::uint32_t>(number % total);
    return digits;
}

/// Random words, the extreme ones, and those around the ends of some outcomes.
std::vector<std::uint64_t> some_words(std::uint64_t total, Random& random) {
    std::vector<std::uint64_t> words{0, 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1};
    RandomStream stream(random.seed(), Purpose::test, total);
    const cpp_int bound = pow(cpp_int(total), static_cast<unsigned>(digits_a_word(total)));
    for (int i = 0; i < 10; ++i) {
        words.push_back(stream.bits());
        const cpp_int outcome = cpp_int(stream.bits()) % bound;
        const auto first = static_cast<std::uint64_t>((outcome * two_64 + bound - 1) / bound);
        words.insert(words.end(), {first, first + 1, first - 1});
    }
    return words;
}

const std::vector<std::uint64_t> answer_counts{
    1,     2,       3,       10,         5000,        16383,  16384,
    16385, 416'127, 416'128, 1ULL << 28, 268'435'457, 99'999, 4'294'967'295};

}  // namespace

TEST_CASE("indices are the digits of their words", "[subsample-indices]") {
    Random random(5301);
    CAPTURE(random.seed());
    for (const std::uint64_t total : answer_counts) {
        CAPTURE(total);
        const SubsampleIndices uniform(total);
        REQUIRE(uniform.digits() == digits_a_word(total));
        CHECK(uniform.words(50) == (49 + uniform.digits()) / uniform.digits());
        const cpp_int bound = pow(cpp_int(total), static_cast<unsigned>(uniform.digits()));
        for (const std::uint64_t word : some_words(total, random)) {
            std::vector<std::uint32_t> indices(uniform.digits());
            const bool refused = uniform.find_plain({&word, 1}, indices);
            CHECK(indices == digits_of(word, total));
            CHECK(refused == (word * bound % two_64 < two_64 % bound));
            CHECK(refused == uniform.refuses(word));
        }
    }
}

TEST_CASE("the indices of many words are those of one at a time", "[subsample-indices]") {
    Random random(5302);
    CAPTURE(random.seed());
    for (const std::uint64_t total : answer_counts) {
        CAPTURE(total);
        const SubsampleIndices uniform(total);
        std::vector<std::uint64_t> kept;
        std::vector<std::uint64_t> refused;
        for (const std::uint64_t word : some_words(total, random))
            (uniform.refuses(word) ? refused : kept).push_back(word);
        for (std::size_t count = 0; count <= kept.size(); ++count) {
            std::vector<std::uint64_t> words(kept.begin(),
                                             kept.begin() + static_cast<std::ptrdiff_t>(count));
            std::vector<std::uint32_t> indices(count * uniform.digits());
            std::vector<std::uint32_t> plain(indices.size());
            CHECK_FALSE(uniform.find_plain(words, plain));
            for (const bool wide : {false, true}) {
                indices.assign(indices.size(), 0);
                CHECK_FALSE(uniform.find(words, indices, wide));
                CHECK(indices == plain);
            }
            if (count == 0 || refused.empty()) continue;
            words[static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1))] =
                refused.front();
            for (const bool wide : {false, true}) CHECK(uniform.find(words, indices, wide));
        }
    }
}

TEST_CASE("indices are exactly uniform", "[subsample-indices]") {
    // All words of one outcome lie side by side: those not refused have to be equally many.
    for (const std::uint64_t total : {1, 2, 3, 5, 7}) {
        CAPTURE(total);
        const SubsampleIndices uniform(total);
        REQUIRE(uniform.digits() == 4);
        const cpp_int bound = pow(cpp_int(total), 4);
        bool equal = true;
        for (cpp_int outcome = 0; outcome < bound; ++outcome) {
            const cpp_int first = (outcome * two_64 + bound - 1) / bound;
            const cpp_int end = ((outcome + 1) * two_64 + bound - 1) / bound;
            cpp_int kept = end - first;
            // A refused word is the first of its outcome.
            if (uniform.refuses(static_cast<std::uint64_t>(first))) --kept;
            equal = equal && kept == two_64 / bound &&
                    !uniform.refuses(static_cast<std::uint64_t>(first + 1)) &&
                    !uniform.refuses(static_cast<std::uint64_t>(end - 1));
        }
        CHECK(equal);
    }
}
