# Fuzz targets, one a file of fuzz/. With ASSAY_FUZZ (clang): programs of libFuzzer in
# build/<preset>/fuzz, with ASan and UBSan. Without: one program that tries the committed corpus.
file(GLOB fuzz_targets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.cpp")
# Of verify/ the readers alone: the oracles take long to build.
set(fuzz_verify_readers journal.cpp trial_json.cpp case_file.cpp point.cpp)
list(TRANSFORM fuzz_verify_readers PREPEND "${PROJECT_SOURCE_DIR}/verify/")
if(ASSAY_FUZZ OR BUILD_TESTING)
    add_library(assay_fuzz_common STATIC
        "${PROJECT_SOURCE_DIR}/fuzz/target.cpp" ${fuzz_verify_readers})
    target_compile_options(assay_fuzz_common PRIVATE $<$<CONFIG:Release>:-O1>)
    target_include_directories(assay_fuzz_common PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(assay_fuzz_common PUBLIC assay_cli PRIVATE assay_flags)
endif()
if(ASSAY_FUZZ)
    add_custom_target(assay_fuzz)
    foreach(source IN LISTS fuzz_targets)
        cmake_path(GET source STEM name)
        add_executable(${name} ${source})
        target_compile_definitions(${name} PRIVATE ASSAY_LIBFUZZER)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
        target_link_libraries(${name} PRIVATE assay_fuzz_common assay_flags)
        add_dependencies(assay_fuzz ${name})
    endforeach()
elseif(BUILD_TESTING)
    add_executable(assay_fuzz_replay
        "${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp" ${fuzz_targets})
    target_compile_options(assay_fuzz_replay PRIVATE $<$<CONFIG:Release>:-O1>)
    target_link_libraries(assay_fuzz_replay PRIVATE assay_fuzz_common assay_flags)
    add_test(NAME fuzz_corpus COMMAND assay_fuzz_replay "${PROJECT_SOURCE_DIR}/fuzz/corpus")
    set_tests_properties(fuzz_corpus PROPERTIES LABELS unit TIMEOUT 300)
endif()
