#pragma once
#include <mpfr.h>

#include <limits>

namespace assay::verify {

/// Of an extended number: 64, or 113 on aarch64.
inline constexpr long extended_bits = std::numeric_limits<long double>::digits;

/// An MPFR number of that precision, freed at the end of its scope.
class WideNumber {
public:
    explicit WideNumber(long bits) { mpfr_init2(value_, bits); }
    /// {x}, exactly, where `bits` hold it.
    WideNumber(long double x, long bits) : WideNumber(bits) { mpfr_set_ld(value_, x, MPFR_RNDN); }
    WideNumber(const WideNumber&) = delete;
    WideNumber& operator=(const WideNumber&) = delete;
    ~WideNumber() { mpfr_clear(value_); }

    operator mpfr_ptr() { return value_; }
    operator mpfr_srcptr() const { return value_; }

private:
    mpfr_t value_;
};

/// |computed - exact| in units in the last place of `exact` in the format of `computed`, rounded
/// up. Below the normal numbers the unit is the smallest one; an infinite result counts as the
/// power of 2 at which the format ends; NaN is infinitely far from anything.
[[nodiscard]] double error_in_ulp(double computed, mpfr_srcptr exact);
[[nodiscard]] double error_in_ulp(long double computed, mpfr_srcptr exact);

/// |computed - exact| / |exact|, rounded up; 0 where they are equal.
[[nodiscard]] double relative_error(mpfr_srcptr computed, mpfr_srcptr exact);

}  // namespace assay::verify
