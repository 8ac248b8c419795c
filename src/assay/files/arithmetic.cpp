#include "assay/files/arithmetic.hpp"

#include <fmt/format.h>

#include <limits>

#include "assay/numeric/directed.hpp"
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace assay {

std::string arithmetic_line() {
#if defined(__GLIBC__)
    const std::string c_library = std::string("glibc ") + gnu_get_libc_version();
#else
    const std::string c_library = "other than glibc: nothing is known of its functions' errors";
#endif
    return fmt::format("long double of {} bits, double of {} bits, C library {}",
                       std::numeric_limits<real>::digits, std::numeric_limits<double>::digits,
                       c_library);
}

}  // namespace assay
