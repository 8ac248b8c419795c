#include <fmt/format.h>

#include <cmath>

#include "verify/errata_parts.hpp"
#include "verify/oracles/binomial_tail.hpp"

namespace assay::verify {

namespace {

/// An entry of the tables of Appendix C.
struct Printed {
    long examples;
    long batch_size;
    long maximum;
};

constexpr Printed pctr[] = {{37'000'000, 1024, 1328}, {37'000'000, 8192, 9007}};
constexpr Printed search[] = {{12'796'151, 1024, 1320}, {12'796'151, 8192, 8984}};

Interval delta_of(const Printed& entry, double epsilon, long maximum) {
    const long steps = (entry.examples + entry.batch_size - 1) / entry.batch_size;
    return cut_batches_delta({entry.examples, static_cast<double>(entry.batch_size),
                              static_cast<double>(entry.examples)},
                             steps, epsilon, maximum, erratum_bits);
}

/// The printed size is enough for 1e-5/n at epsilon = 5, and one less is not.
bool is_smallest_at_five(const Printed& entry) {
    const Interval target = number(1e-5) / number(static_cast<double>(entry.examples));
    return certainly_at_most(delta_of(entry, 5.0, entry.maximum), target) &&
           certainly_below(target, delta_of(entry, 5.0, entry.maximum - 1));
}

}  // namespace

std::vector<Erratum> batch_size_errata() {
    Numbers numbers;
    bool exceeded = true;
    bool explained = true;
    for (const Printed& entry : search) {
        const Interval delta =
            numbers.add(fmt::format("delta' at epsilon = 10 of the printed {} (n = {}, b = {})",
                                    entry.maximum, entry.examples, entry.batch_size),
                        delta_of(entry, 10.0, entry.maximum));
        exceeded = exceeded && certainly_below(number(1e-10), delta);
        explained = explained && is_smallest_at_five(entry);
    }
    for (const Printed& entry : pctr) {
        const Interval less = numbers.add(
            fmt::format("delta' at epsilon = 10 of one less than the printed {} (n = {}, b = {})",
                        entry.maximum, entry.examples, entry.batch_size),
            delta_of(entry, 10.0, entry.maximum - 1));
        exceeded = exceeded && certainly_below(less, number(1e-10));
        explained = explained && is_smallest_at_five(entry);
    }
    return {tried(39, "chua2025",
                  "The maximum batch sizes of Appendix C do not follow from epsilon = 10 and "
                  "delta' <= 1e-10: for Sponsored Search the printed ones cost more, for pCTR "
                  "smaller ones would do. They are the smallest for epsilon = 5 and delta' <= "
                  "1e-5/n.",
                  numbers, exceeded && explained)};
}

}  // namespace assay::verify
