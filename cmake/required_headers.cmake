# What every component needs. A missing one is named, with the packages that have it.
find_package(Boost 1.74 QUIET)
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
