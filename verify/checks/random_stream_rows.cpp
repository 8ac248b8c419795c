#include <algorithm>
#include <cmath>

#include "assay/batch_sampling/uniform_index.hpp"
#include "assay/numeric/exact_bernoulli.hpp"
#include "assay/numeric/random_streams.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Random words, and the integers and events that are made of them: to the last bit, or where a bias
// of rounding is largest.

namespace assay::verify {

namespace {

__extension__ using Wide = unsigned __int128;

/// Blocks of up to 64 bits.
std::uint64_t block_at(const Point& p) {
    return static_cast<std::uint64_t>(p.integer("block")) << static_cast<unsigned>(p.integer("up"));
}

RandomStream stream_at(const Point& p) {
    return {static_cast<std::uint64_t>(p.integer("seed")), Purpose::test, block_at(p)};
}

Space streams_space() {
    return {{count_dimension("block", 1, 4e9, {1, 2, 4e9}),
             {"up", Scale::linear, 0, 32, true, {0, 32}},
             seed_dimension()},
            {}};
}

// ---- words ---------------------------------------------------------------------------------

/// Words by fills of any lengths, and words one by one in between, that are not the stream's.
double wrong_words(const Point& p) {
    RandomStream stream = stream_at(p);
    Draws draws = draws_at(p, "fills");
    std::vector<std::uint64_t> seen;
    while (seen.size() < 20'000) {
        std::vector<std::uint64_t> fill(draws.below(1500));
        stream.fill_bits(fill);
        seen.insert(seen.end(), fill.begin(), fill.end());
        for (std::size_t single = draws.below(70); single > 0; --single)
            seen.push_back(stream.bits());
    }
    seen.resize(seen.size() / 2 * 2);
    const auto seed = static_cast<std::uint64_t>(p.integer("seed"));
    std::vector<std::uint64_t> expected(seen.size());
    detail::philox_plain(
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}, block_at(p),
        static_cast<std::uint64_t>(Purpose::test) << 48U, expected);
    double wrong = 0.0;
    for (std::size_t i = 0; i < seen.size(); ++i) wrong += seen[i] != expected[i] ? 1.0 : 0.0;
    return wrong;
}

Check unit_interval_row() {
    Check row = library_row("random_streams.unit_interval",
                            "a word is the uniform number (k + 1/2) 2^-52, k its upper 52 bits",
                            Relation::encloses,
                            {{{"k",
                               Scale::linear,
                               0,
                               4503599627370495.0,
                               true,
                               {0, 1, 2251799813685247.0, 2251799813685248.0, 4503599627370495.0}},
                              {"low", Scale::linear, 0, 4095, true, {0, 2048, 4095}}},
                             {}},
                            40, 400);
    row.oracle = "(k + 1/2) 2^-52";
    row.evaluate = [](const Point& p) {
        const std::uint64_t word = static_cast<std::uint64_t>(p.integer("k")) << 12U |
                                   static_cast<std::uint64_t>(p.integer("low"));
        return exactly(RandomStream::to_unit_interval(word));
    };
    row.truth = [](const Point& p, long bits) {
        return (Interval(p["k"], bits) + 0.5) * Interval(0x1p-52, bits);
    };
    return row;
}

// ---- integers ------------------------------------------------------------------------------

/// floor(h bound / 2^32) of the halves h of the stream's words, the low half first, but for those
/// whose product has low 32 bits below 2^32 mod bound.
double wrong_indices(const Point& p) {
    constexpr std::size_t count = 2000;
    const auto bound = static_cast<std::uint64_t>(p.integer("bound"));
    std::vector<std::uint64_t> words(8 * count);
    stream_at(p).fill_bits(words);
    std::vector<std::uint64_t> expected;
    for (const std::uint64_t word : words)
        for (const std::uint64_t half : {word % 4294967296, word / 4294967296})
            if (half * bound % 4294967296 >= 4294967296 % bound)
                expected.push_back(half * bound / 4294967296);
    UniformIndices indices(stream_at(p));
    double wrong = 0.0;
    for (std::size_t i = 0; i < count; ++i) wrong += indices.below(bound) != expected.at(i) ? 1 : 0;
    return wrong;
}

/// An index i is that of floor(2^64 / n) words or of one more. Those with one more would be drawn
/// too often, were no word refused.
Events huge_events(const Point& p) {
    constexpr int trials = 100'000;
    const std::uint64_t bound = static_cast<std::uint64_t>(p.integer("m"))
                                << static_cast<unsigned>(p.integer("e"));
    const Wide all = Wide{1} << 64U;
    const auto begin = [&](std::uint64_t i) { return (i * all + bound - 1) / bound; };
    RandomStream stream = stream_at(p);
    double more = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
        const std::uint64_t i = stream.below(bound);
        more += begin(i + 1) - begin(i) > all / bound ? 1.0 : 0.0;
    }
    Events events;
    const auto expected = static_cast<std::uint64_t>(all % bound);
    events.add(more, trials,
               Interval(static_cast<double>(expected >> 11U), 96) * Interval(2048.0, 96) /
                   (Interval(p["m"], 96) * power(Interval(2.0, 96), p.integer("e"))));
    return events;
}

// ---- events of any probability -------------------------------------------------------------

/// The first three digits of p in base 2^64, each changed by -1, 0 or 1: what the words are.
std::vector<std::uint64_t> near_digits(const Point& p) {
    std::vector<std::uint64_t> words;
    double rest = std::ldexp(p["x"], static_cast<int>(p.integer("e")));
    for (const char* change : {"d1", "d2", "d3"}) {
        const double scaled = rest * 0x1p64;
        const auto digit = static_cast<std::uint64_t>(scaled);
        rest = scaled - static_cast<double>(digit);
        words.push_back(digit + static_cast<std::uint64_t>(p.integer(change)));
    }
    return words;
}

Check ties_row() {
    const auto change = [](const char* name) {
        return Dimension{name, Scale::linear, -1, 1, true, {0}};
    };
    Check row =
        library_row("bernoulli.ties",
                    "an event of probability p happens where U = 0.u1 u2 .. in base 2^64 is below "
                    "p, however many digits it shares with p",
                    Relation::encloses,
                    {{{"x", Scale::linear, 0.5, 1.0, false, {0.5, 0.75, 0x1.fffffffffffffp-1}},
                      {"e", Scale::linear, -140, 0, true, {0, -1, -12, -30, -64, -80}},
                      change("d1"),
                      change("d2"),
                      change("d3")},
                     // Neither p = 1 nor a digit below 0.
                     [](const Point& p) {
                         return p["x"] < 1.0 && std::ranges::none_of(near_digits(p), [](auto word) {
                                    return word == ~std::uint64_t{0};
                                });
                     }},
                    60, 600);
    row.oracle = "U < p in 320 bits";
    row.evaluate = [](const Point& p) {
        const std::vector<std::uint64_t> words = near_digits(p);
        std::size_t next = 0;
        const auto bits = [&] { return next < words.size() ? words[next++] : 0; };
        const double probability = std::ldexp(p["x"], static_cast<int>(p.integer("e")));
        return exactly(exact_bernoulli(bits, probability) ? 1.0 : 0.0);
    };
    row.truth = [](const Point& p, long) {
        constexpr long wide = 320;
        Interval u(0.0, wide);
        Interval unit(1.0, wide);
        for (const std::uint64_t word : near_digits(p)) {
            unit *= Interval(0x1p-64, wide);
            u += unit * (Interval(static_cast<double>(word >> 32U), wide) * 4294967296.0 +
                         static_cast<double>(word & 0xFFFFFFFFU));
        }
        const Interval probability =
            Interval(p["x"], wide) * power(Interval(2.0, wide), p.integer("e"));
        return Interval(certainly_below(u, probability) ? 1.0 : 0.0, wide);
    };
    return row;
}

}  // namespace

std::vector<Check> random_stream_rows() {
    const Space words = streams_space();
    Space bounds = words;
    bounds.dimensions.push_back(
        count_dimension("bound", 1, 4294967296.0,
                        {1, 2, 3, 1073741824.0, 3221225472.0, 4294967295.0, 4294967296.0}));
    Space huge = words;
    huge.dimensions.push_back(count_dimension("m", 1, 2047, {1, 3, 5, 2047}));
    huge.dimensions.push_back({"e", Scale::linear, 51, 62, true, {62, 61}});
    huge.admits = [](const Point& p) {
        return std::log2(p["m"]) + p["e"] < 64.0 && std::log2(p["m"]) + p["e"] > 61.0;
    };
    return {limit_row("random_streams.words",
                      "the words of a stream are those of Philox4x32-10 at its address, in order, "
                      "by whatever calls they are read",
                      "Random123: 0 wrong words", words, 10, 100, 0.0, wrong_words),
            unit_interval_row(),
            events_row("random_streams.below_huge",
                       "integers below a bound near 2^64 are uniform where rounding is felt most",
                       std::move(huge), 8, 80, huge_events),
            limit_row("uniform_indices.meet_words",
                      "an index is floor(h n / 2^32) of the next half h that is not refused",
                      "the definition in integers: 0 wrong indices", std::move(bounds), 20, 200,
                      0.0, wrong_indices),
            ties_row()};
}

}  // namespace assay::verify
