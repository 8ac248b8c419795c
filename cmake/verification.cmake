# build/<preset>/assay-verify: the oracles, the rows and the engine that tries them. MPFR and Arb
# are linked here and nowhere else.
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
find_library(FLINT_LIBRARY flint REQUIRED)
# Arb is a library of its own before FLINT 3, and part of FLINT since, with its headers in a folder.
find_library(ARB_LIBRARY NAMES flint-arb arb)
if(NOT ARB_LIBRARY)
    set(ARB_LIBRARY "")
endif()
find_path(ARB_HEADERS acb_calc.h PATH_SUFFIXES flint REQUIRED)
assay_sources(verification_sources "${PROJECT_SOURCE_DIR}/verify")
list(REMOVE_ITEM verification_sources "${PROJECT_SOURCE_DIR}/verify/main.cpp")
add_library(assay_verification STATIC ${verification_sources})
# What takes time here are MPFR, Arb and the library. Most files are short and include what a row is
# made of: parsed once. (GCC 12 forgets which precompiled headers are the system's, and so tells of
# overruns in std::string that are not there; the check build precompiles none and has all warnings.)
target_compile_options(assay_verification PRIVATE $<$<CONFIG:Release>:-O1>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
target_precompile_headers(assay_verification PRIVATE <algorithm> <cmath> <fmt/format.h>
    "${PROJECT_SOURCE_DIR}/verify/rows.hpp" "${PROJECT_SOURCE_DIR}/verify/checks/routes.hpp"
    "${PROJECT_SOURCE_DIR}/verify/checks/spaces.hpp")
assay_compile_in_batches(assay_verification 8)
target_include_directories(assay_verification PUBLIC "${PROJECT_SOURCE_DIR}")
target_include_directories(assay_verification SYSTEM PUBLIC "${ARB_HEADERS}")
target_link_libraries(assay_verification
    PUBLIC assay assay_formulas ${ARB_LIBRARY} ${FLINT_LIBRARY} ${MPFR_LIBRARY} ${GMP_LIBRARY}
    PRIVATE assay_flags)
add_executable(assay_verify "${PROJECT_SOURCE_DIR}/verify/main.cpp")
set_target_properties(assay_verify PROPERTIES OUTPUT_NAME assay-verify)
target_compile_options(assay_verify PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(assay_verify PRIVATE assay_verification assay_help assay_flags)
