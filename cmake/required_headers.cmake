# What every component needs. A missing one is named, with the packages that have it.
find_package(Boost 1.74 QUIET CONFIG)
if(NOT Boost_FOUND)  # headers alone, without Boost's own configuration
    find_package(Boost 1.74 QUIET MODULE)
endif()
if(NOT Boost_FOUND)
    message(FATAL_ERROR "The headers of Boost, 1.74 or later, are missing. Packages that have them: "
        "libboost-dev and libboost-math-dev (Debian, Ubuntu), boost-devel (Fedora, RHEL), boost "
        "(Homebrew, Arch), libboost-headers (conda-forge). Elsewhere: -DBoost_ROOT=<prefix>")
endif()
find_package(fmt QUIET)
if(NOT fmt_FOUND)
    message(FATAL_ERROR "fmt is missing. Packages that have it: libfmt-dev (Debian, Ubuntu), fmt-devel "
        "(Fedora, RHEL), fmt (Homebrew, Arch, conda-forge). Elsewhere: -Dfmt_ROOT=<prefix>")
endif()
# An extension module carries what it uses of fmt, so that no shared library has to be there.
set(ASSAY_FMT fmt::fmt)
if(ASSAY_PYTHON)
    set(ASSAY_FMT fmt::fmt-header-only)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# Random123 is for samplers, Monte Carlo and local privacy; accounting alone does without.
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h)
if(NOT RANDOM123_INCLUDE_DIR AND NOT ASSAY_ACCOUNTING_ONLY)
    message(FATAL_ERROR "The headers of Random123 are missing. Packages that have them: "
        "librandom123-dev (Debian, Ubuntu), Random123-devel (Fedora). "
        "Without them: -DASSAY_ACCOUNTING_ONLY=ON")
endif()

# The budgets of docs/error_bounds.md are for a significand of 64 bits or more. Where long double is
# double (MSVC, Apple silicon) or a pair of doubles (older POWER) there is no path that is certified.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("
    #include <limits>
    static_assert(std::numeric_limits<long double>::is_iec559
                  && std::numeric_limits<long double>::digits >= 64);
    int main() {}" ASSAY_LONG_DOUBLE_IS_EXTENDED)
if(NOT ASSAY_LONG_DOUBLE_IS_EXTENDED)
    message(FATAL_ERROR "On this platform long double has fewer than 64 bits of significand, or is not "
        "IEEE 754, and bounds computed with it would not be certified (docs/error_bounds.md). Platforms "
        "that have it: x86-64 (80-bit extended), aarch64 and riscv64 with Linux (128-bit)")
endif()
