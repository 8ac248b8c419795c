find_package(Catch2 2.13 REQUIRED)
include(Catch)

# assay_catch_tests(<target> <sources>): one Catch2 executable; its header is precompiled once.
function(assay_catch_tests target)
    set(catch_main "${PROJECT_SOURCE_DIR}/src/catch_main.cpp")
    add_executable(${target} ${catch_main} ${ARGN})
    target_precompile_headers(${target} PRIVATE <catch2/catch.hpp>)
    set_source_files_properties(${catch_main} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
        COMPILE_OPTIONS -O0)
    target_link_libraries(${target} PRIVATE assay Catch2::Catch2 assay_flags)
endfunction()

assay_test_sources(unit_tests "${PROJECT_SOURCE_DIR}/src/assay" "${PROJECT_SOURCE_DIR}/experiments")
assay_catch_tests(assay_tests ${unit_tests})
target_link_libraries(assay_tests PRIVATE assay_cli assay_figures)
catch_discover_tests(assay_tests WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    PROPERTIES LABELS unit TIMEOUT 300 FAIL_REGULAR_EXPRESSION "No tests ran")

# Cross-checks against independent oracles. MPFR and Arb are linked here and nowhere else; a test
# tagged [full] is left to `make verify`.
file(GLOB_RECURSE verify_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/verify/*.cpp")
list(FILTER verify_sources EXCLUDE REGEX "/verify/install/")
if(verify_sources)
    find_library(MPFR_LIBRARY mpfr REQUIRED)
    find_library(GMP_LIBRARY gmp REQUIRED)
    find_library(ARB_LIBRARY NAMES flint-arb arb)
    find_library(FLINT_LIBRARY flint)
    assay_catch_tests(assay_verify ${verify_sources})
    target_include_directories(assay_verify PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(assay_verify PRIVATE
        $<$<BOOL:${ARB_LIBRARY}>:${ARB_LIBRARY}> $<$<BOOL:${FLINT_LIBRARY}>:${FLINT_LIBRARY}>
        ${MPFR_LIBRARY} ${GMP_LIBRARY})
    catch_discover_tests(assay_verify TEST_SPEC "~[full]" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        PROPERTIES LABELS verify-quick TIMEOUT 300)
    catch_discover_tests(assay_verify TEST_SPEC "[full]" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        PROPERTIES LABELS verify-full TIMEOUT 7200)
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME layering
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/layering.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME layering_control
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/layering.py" --self-test)
set_tests_properties(layering layering_control PROPERTIES LABELS layering)

# An instrumented library asks its consumer for the same instrumentation, so only the plain one is tried.
if(NOT ASSAY_SANITIZE)
    add_test(NAME install_consumer COMMAND "${CMAKE_COMMAND}"
        "-DBUILD=${PROJECT_BINARY_DIR}" "-DCONSUMER=${PROJECT_SOURCE_DIR}/verify/install"
        "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
        -P "${PROJECT_SOURCE_DIR}/verify/install/run.cmake")
    set_tests_properties(install_consumer PROPERTIES LABELS install TIMEOUT 300)
endif()
