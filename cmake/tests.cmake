find_package(Catch2 REQUIRED)
if(Catch2_VERSION VERSION_LESS 2.13)
    message(FATAL_ERROR "Catch2 ${Catch2_VERSION} is too old: 2.13 or later is needed")
endif()
include(Catch)

# The main program of Catch2, which lists all tests whenever one of them is started.
add_library(assay_catch_main OBJECT "${PROJECT_SOURCE_DIR}/src/test_support/catch_main.cpp")
target_compile_options(assay_catch_main PRIVATE -O1)
if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    target_include_directories(assay_catch_main PUBLIC
        "${PROJECT_SOURCE_DIR}/src/test_support/catch2_v3")
    target_link_libraries(assay_catch_main PUBLIC Catch2::Catch2WithMain)
endif()
target_link_libraries(assay_catch_main PUBLIC Catch2::Catch2)

# assay_catch_tests(<target> <sources>): one Catch2 executable. The headers that cost most are
# precompiled once for both; and tests are short, so that to optimise them fully takes longer than it
# saves.
function(assay_catch_tests target)
    add_executable(${target} "${PROJECT_SOURCE_DIR}/src/test_support/test_support.cpp" ${ARGN})
    if(target STREQUAL "assay_tests")
        target_precompile_headers(${target} PRIVATE
            <catch2/catch.hpp> "${PROJECT_SOURCE_DIR}/src/test_support/test_support.hpp")
    else()
        target_precompile_headers(${target} REUSE_FROM assay_tests)
    endif()
    target_compile_options(${target} PRIVATE
        $<$<CONFIG:Release>:-Og> "$<$<CONFIG:RelWithDebInfo>:-O0;-g1>")
    assay_compile_in_batches(${target} 16)
    target_link_libraries(${target} PRIVATE assay assay_catch_main ZLIB::ZLIB assay_flags)
endfunction()

assay_test_sources(unit_tests "${PROJECT_SOURCE_DIR}/src/assay" "${PROJECT_SOURCE_DIR}/experiments")
assay_catch_tests(assay_tests ${unit_tests})
target_link_libraries(assay_tests PRIVATE assay_cli assay_figures)
# COST, here and below, is about how many seconds a long test takes: ctest starts it early.
set(unit_properties LABELS unit TIMEOUT 300 FAIL_REGULAR_EXPRESSION "No tests ran")
catch_discover_tests(assay_tests TEST_SPEC "~forty questions*"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES ${unit_properties})
catch_discover_tests(assay_tests TEST_SPEC "forty questions*"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES ${unit_properties} COST 30)

# The oracles and the engine themselves, then every row of the quick and of the full tier.
assay_test_sources(verify_tests "${PROJECT_SOURCE_DIR}/verify")
assay_catch_tests(assay_verify_tests ${verify_tests})
target_link_libraries(assay_verify_tests PRIVATE assay_verification)
catch_discover_tests(assay_verify_tests WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    PROPERTIES LABELS oracles TIMEOUT 300 FAIL_REGULAR_EXPRESSION "No tests ran")
foreach(tier quick full)
    add_test(NAME verify_${tier} COMMAND assay_verify run --tier ${tier}
        --out results/latest/verify/${tier} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(verify_${tier} PROPERTIES LABELS verify-${tier} TIMEOUT 7200
        PROCESSORS 2)
endforeach()
set_tests_properties(verify_quick PROPERTIES COST 137)

# The certified values for other libraries are what the oracles say.
add_test(NAME certified_tables COMMAND assay_verify tables --check
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
# And the verdicts on the papers' mistakes are what they come out as today.
add_test(NAME errata COMMAND assay_verify errata --check WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(certified_tables errata PROPERTIES LABELS verify-quick TIMEOUT 300)
set_tests_properties(errata PROPERTIES COST 28)

find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Monte Carlo runs that are killed, resumed, cut into shards, put on threads and ranks end alike.
set(mpi_arguments)
if(TARGET assay_mpi)
    set(mpi_arguments $<TARGET_FILE:assay_mpi> ${MPIEXEC_EXECUTABLE})
endif()
add_test(NAME layering
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/layering.py" "${PROJECT_SOURCE_DIR}")
# Every seeded fault still fits the sources that it is a fault of; `make mutants` tries them.
add_test(NAME mutants_apply
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/scripts/mutants" --check)
set_tests_properties(mutants_apply PROPERTIES LABELS layering TIMEOUT 120)
add_test(NAME layering_control
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/layering.py" --self-test)
# The functions that `make profile` sorts into classes are still called so.
add_test(NAME profile_table
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/bench/profile_table.py")
set_tests_properties(layering layering_control profile_table PROPERTIES LABELS layering)

# The test vectors fit their schema, their ids and their second routes; that check finds what is seeded.
add_test(NAME test_vectors
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/conformance/vectors_test.py")
add_test(NAME test_vectors_control
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/conformance/vectors_test.py" --self-test)
set_tests_properties(test_vectors test_vectors_control PROPERTIES LABELS layering TIMEOUT 120)
# README prints what the program says.
add_test(NAME readme
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/install/check_readme.py"
        "${PROJECT_SOURCE_DIR}/README.md" $<TARGET_FILE:assay_program>)
set_tests_properties(readme PROPERTIES LABELS unit TIMEOUT 300)
# The programs whose parsers no unit test links explain themselves like the one that has tests.
add_test(NAME help_texts
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/install/check_help.py"
        $<TARGET_FILE:assay_verify> $<TARGET_FILE:assay_experiments>)
set_tests_properties(help_texts PROPERTIES LABELS unit TIMEOUT 60)
# The program still answers a sample of them as the files say.
add_test(NAME test_vectors_sample
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/conformance/vectors_test.py"
        --ask $<TARGET_FILE:assay_program> 80)
set_tests_properties(test_vectors_sample PROPERTIES LABELS unit TIMEOUT 900)

add_test(NAME monte_carlo_runs
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/verify/monte_carlo/runs.py"
        $<TARGET_FILE:assay_program> ${mpi_arguments})
set_tests_properties(monte_carlo_runs PROPERTIES LABELS unit TIMEOUT 300
    SKIP_RETURN_CODE 77 COST 22)

# The system's Python has matplotlib (packages.txt); another one on PATH may not.
find_program(SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SYSTEM_PYTHON python3 REQUIRED)
add_test(NAME verify_page
    COMMAND "${SYSTEM_PYTHON}" "${PROJECT_SOURCE_DIR}/plots/verification/self_test.py")
add_test(NAME results_page
    COMMAND "${SYSTEM_PYTHON}" "${PROJECT_SOURCE_DIR}/plots/page_self_test.py")
set_tests_properties(verify_page results_page PROPERTIES LABELS plots TIMEOUT 120)

# An instrumented library asks its consumer for the same instrumentation, so only the plain one is tried.
if(NOT ASSAY_SANITIZE)
    add_test(NAME install_consumer COMMAND "${CMAKE_COMMAND}"
        "-DBUILD=${PROJECT_BINARY_DIR}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
        "-DPYTHON=${Python3_EXECUTABLE}" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
        -P "${PROJECT_SOURCE_DIR}/verify/install/run.cmake")
    set_tests_properties(install_consumer PROPERTIES LABELS install TIMEOUT 900 COST 62)
endif()

# A platform without extended precision is refused before anything is built.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_test(NAME short_long_double_refused COMMAND "${CMAKE_COMMAND}" --fresh -S "${PROJECT_SOURCE_DIR}"
        -B "${PROJECT_BINARY_DIR}/short_long_double" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
        -DCMAKE_CXX_FLAGS=-mlong-double-64 -DASSAY_ACCOUNTING_ONLY=ON)
    set_tests_properties(short_long_double_refused PROPERTIES LABELS install TIMEOUT 120
        PASS_REGULAR_EXPRESSION "fewer than 64 bits")
endif()

# The completions of bash complete what was written of them.
if(TARGET assay_write_documents)
    add_test(NAME bash_completions COMMAND bash "${PROJECT_SOURCE_DIR}/verify/install/completions.sh"
        "${PROJECT_BINARY_DIR}/documents/completions/assay.bash")
    set_tests_properties(bash_completions PROPERTIES LABELS install TIMEOUT 60)
endif()

# What the tests run and what the install test installs: all but the benchmarks and the figures.
add_custom_target(assay_tested)
foreach(target assay_tests assay_verify_tests assay_verify assay_program assay_fuzz_replay assay_mpi
        assay_write_documents)
    if(TARGET ${target})
        add_dependencies(assay_tested ${target})
    endif()
endforeach()
