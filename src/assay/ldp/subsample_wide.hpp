#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/ldp/response_history.hpp"

namespace assay::detail {

/// The work of Subsample with AVX-512, for few categories: the same bits as without.
///   Maths      counts of frequent sets are bytes of one vector, to which every index adds a row of
///              the unit matrix; theta(S) is formed for eight sets at a time, one a lane
///   Domain     K <= 24, m <= 255, at most most_frequent() frequent sets
///   Memory     2 bytes a frequent answer, 6 a rare one
class WideSubsample {
public:
    static constexpr std::size_t most_categories = 24;
    static constexpr std::size_t most_answers = 255;
    static constexpr std::size_t most_sets = 8;
    static constexpr std::size_t most_cells = 64;

    /// How many frequent sets there may be, on any machine: no bound where the domain ends.
    [[nodiscard]] static std::size_t most_frequent(std::size_t categories, std::size_t answers) {
        if (categories > most_categories || answers > most_answers)
            return std::numeric_limits<std::size_t>::max();
        return std::min(most_sets, most_cells / ((categories + 3) / 4 * 4));
    }
    /// Whether this machine and these sizes admit it.
    [[nodiscard]] static bool admits(std::size_t categories, std::size_t answers);

    WideSubsample(std::size_t categories, std::size_t answers);

    /// Forgets all answers; from here on the frequent sets are these.
    void choose(const ResponseHistory& history, std::span<const std::uint32_t> frequent);
    /// To be called for every set, before its answers.
    void add_law(const ResponseHistory& history, std::uint32_t set);
    /// One answer more: category i to the cth of the frequent sets has cell c padded(K) + i; or to
    /// another set.
    void add_frequent(std::size_t cell);
    void add_rare(const ResponseHistory& history, const ResponseHistory::Response& response);

    /// As those of Subsample.
    void draw(std::span<const std::uint32_t> indices);
    void slopes(const double* phi, double sum, double* slopes);

    /// Of the history, what the kernels read.
    struct Sets {
        // By size of the set; answers inside count as of size 0.
        alignas(64) std::array<double, most_categories> inside_ratio{};
        alignas(64) std::array<double, most_categories> excess{};
        double empty_excess = 0.0;
        // Of the frequent sets.
        alignas(32) std::array<std::uint32_t, most_sets> codes{};
        alignas(64) std::array<double, most_sets> frequent_gain{};  // alpha - 1
        alignas(64) std::array<double, most_sets> frequent_excess{};
        std::size_t frequent = 0;
        std::size_t vectors = 0;  // of four categories
        /// The bit of category i in a code. A constant would be made from an integer register time
        /// and again.
        alignas(32) std::array<std::uint32_t, most_categories> bits{};
        std::vector<std::uint16_t> cells;  // by index, 64 times the cell; then rows of zeros
        std::vector<std::uint32_t> rare;   // codes, by index less that of the first
    };
    /// One subsample.
    struct Draw {
        alignas(64) std::array<std::uint8_t, most_cells> cells{};
        std::size_t rare_count = 0;
        std::vector<std::uint32_t> indices;  // of the rare answers
        std::vector<std::uint32_t> codes;
    };
    /// Terms of the rare answers, 1/h times alpha - 1 and beta; and 1 - theta(S) + alpha theta(S)
    /// of the frequent sets; all but for sum(phi).
    struct Terms {
        alignas(64) std::array<double, most_sets> base;
        alignas(64) std::array<double, most_answers + 1> extra;
        alignas(64) std::array<double, most_answers + 1> own;
        alignas(64) std::array<std::uint32_t, most_answers + 1> category;
    };

private:
    [[nodiscard]] static std::uint32_t code(const ResponseHistory& history, std::uint32_t set);

    Sets sets_;
    std::array<Draw, 2> draws_;
    std::size_t next_ = 0;
    std::size_t oldest_ = 0;
    Terms terms_;
};

}  // namespace assay::detail
