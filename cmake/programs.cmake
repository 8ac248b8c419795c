# What is testable of a program stands in a library of its own, so that the unit tests link the very
# same code.

# Help texts, laid out alike by every program.
assay_sources(help_sources "${PROJECT_SOURCE_DIR}/src/assay/help")
add_library(assay_help STATIC ${help_sources})
target_compile_options(assay_help PRIVATE $<$<CONFIG:Release>:-O1>)
target_include_directories(assay_help PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(assay_help PUBLIC CLI11::CLI11 PRIVATE assay_flags)

# build/<preset>/assay
set(cli_folder "${PROJECT_SOURCE_DIR}/src/assay/cli")
assay_sources(cli_sources "${cli_folder}")
list(REMOVE_ITEM cli_sources "${cli_folder}/main.cpp")
add_library(assay_cli INTERFACE)
add_library(assay_cli_objects STATIC ${cli_sources})
# Options and JSON are all templates: parsed once, and not worth -O3, nothing here computes.
target_precompile_headers(assay_cli_objects PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp>)
# (-Warray-bounds of GCC 12 sees a string's short buffer overrun in its own move: GCC bug 105329.)
target_compile_options(assay_cli_objects PRIVATE $<$<CONFIG:Release>:-O1>
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>)
# A command's parts are in a namespace of its own: commands name them alike.
assay_compile_in_batches(assay_cli_objects 12)
target_link_libraries(assay_cli_objects PUBLIC assay assay_formulas assay_help PRIVATE assay_flags)
target_link_libraries(assay_cli INTERFACE assay_cli_objects)
target_link_libraries(assay_cli INTERFACE assay assay_help)
add_executable(assay_program "${cli_folder}/main.cpp")
set_target_properties(assay_program PROPERTIES OUTPUT_NAME assay)
target_link_libraries(assay_program PRIVATE assay_cli assay_flags)
install(TARGETS assay_program)
# What `assay train` learns from where nothing else is named.
install(FILES "${PROJECT_SOURCE_DIR}/data/optical_digits.csv.gz" "${PROJECT_SOURCE_DIR}/data/README.md"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/assay/data")
# What `--plot` draws with.
set(plots "${PROJECT_SOURCE_DIR}/plots")
install(PROGRAMS "${plots}/trade_off.py" "${plots}/compare.py" "${plots}/epsilon_delta.py"
        "${plots}/calibration.py"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/assay/plots")
install(FILES "${plots}/style.py" "${plots}/read_result.py"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/assay/plots")

# build/<preset>/assay-experiments
assay_sources(experiment_sources "${PROJECT_SOURCE_DIR}/experiments")
list(REMOVE_ITEM experiment_sources "${PROJECT_SOURCE_DIR}/experiments/main.cpp")
add_library(assay_figures STATIC ${experiment_sources})
target_compile_options(assay_figures PRIVATE $<$<CONFIG:Release>:-O1>)  # the library computes
assay_compile_in_batches(assay_figures 8)
target_precompile_headers(assay_figures PRIVATE <fmt/format.h> <map> <string> <vector>)
target_include_directories(assay_figures PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(assay_figures PUBLIC assay PRIVATE assay_flags)
add_executable(assay_experiments "${PROJECT_SOURCE_DIR}/experiments/main.cpp")
set_target_properties(assay_experiments PROPERTIES OUTPUT_NAME assay-experiments)
target_compile_options(assay_experiments PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(assay_experiments PRIVATE assay_figures assay_help assay_flags)

# build/<preset>/assay-bench; assay-bench-profile leaves out the oracles, and with them verify/
assay_sources(bench_sources "${PROJECT_SOURCE_DIR}/bench")
list(FILTER bench_sources EXCLUDE REGEX "/(main|profile_main|bench_verify)\\.cpp$")
find_package(benchmark REQUIRED)
add_library(assay_benchmarks OBJECT ${bench_sources})
target_link_libraries(assay_benchmarks PUBLIC assay benchmark::benchmark PRIVATE assay_flags)
add_executable(assay_bench bench/main.cpp bench/bench_verify.cpp)
set_target_properties(assay_bench PROPERTIES OUTPUT_NAME assay-bench)
target_link_libraries(assay_bench PRIVATE assay_benchmarks assay_verification assay_flags)
add_executable(assay_bench_profile EXCLUDE_FROM_ALL bench/profile_main.cpp)
set_target_properties(assay_bench_profile PROPERTIES OUTPUT_NAME assay-bench-profile)
target_link_libraries(assay_bench_profile PRIVATE assay_benchmarks assay_flags)
