#include "verify/oracles/oracle.hpp"

#include "verify/oracles/arb_cache.hpp"

namespace assay::verify {

namespace {

std::vector<Oracle> concatenated() {
    std::vector<Oracle> all;
    for (auto* list :
         {integer_order_oracles, published_formula_oracles, trapezoid_oracles, arb_oracles})
        for (const Oracle& oracle : list()) all.push_back(oracle);
    return all;
}

}  // namespace

std::span<const Oracle> all_oracles() {
    static const std::vector<Oracle> oracles = concatenated();
    return oracles;
}

std::vector<Oracle> oracles_of(std::string_view quantity, const Point& point) {
    std::vector<Oracle> found;
    for (const Oracle& oracle : all_oracles())
        if (oracle.quantity == quantity && oracle.covers(point)) found.push_back(oracle);
    return found;
}

void free_oracle_caches() {
    mpfr_free_cache();
    free_arb_thread_caches();
}

}  // namespace assay::verify
