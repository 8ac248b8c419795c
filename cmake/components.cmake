# The other components of the library, and the target of all of them.

# State files, progress and build information, for the components that run for long.
assay_component(files FOLDERS files)
target_link_libraries(assay_files PUBLIC assay_accounting)
assay_compile_in_batches(assay_files 6)

# (The headers of parallel/ are monte_carlo's as well, which installs none of them.)
assay_component(training UMBRELLA training.hpp FOLDERS parallel datasets batch_sampling dpsgd)
target_link_libraries(assay_training
    PUBLIC assay_accounting assay_files Eigen3::Eigen TBB::tbb PRIVATE ZLIB::ZLIB)
assay_compile_in_batches(assay_training 6)

assay_component(monte_carlo UMBRELLA monte_carlo.hpp FOLDERS monte_carlo)
target_link_libraries(assay_monte_carlo
    PUBLIC assay_accounting assay_files PRIVATE TBB::tbb Threads::Threads)

assay_component(ldp UMBRELLA ldp.hpp FOLDERS ldp)
target_link_libraries(assay_ldp
    PUBLIC assay_accounting assay_files PRIVATE "$<BUILD_INTERFACE:Eigen3::Eigen>")
assay_compile_in_batches(assay_ldp 6)

# What the programs of this tree link.
add_library(assay INTERFACE)
add_library(assay::assay ALIAS assay)
target_link_libraries(assay INTERFACE assay_training assay_monte_carlo assay_ldp assay_files
    assay_accounting Boost::headers fmt::fmt Threads::Threads)

# The formulas of `assay eval` and of the verification; not installed.
assay_sources(formula_sources "${PROJECT_SOURCE_DIR}/src/assay/formulas")
add_library(assay_formulas STATIC ${formula_sources})
assay_precompile_headers(assay_formulas)
assay_compile_in_batches(assay_formulas 6)
target_link_libraries(assay_formulas PUBLIC assay PRIVATE assay_flags)

# Build information. The compiler, its flags and the version are known now; the commit is looked up
# at every build, and its header is rewritten only when it changed, so that a commit recompiles one
# file (files/build_info.cpp). That file names the versions of libraries that it does not link.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
get_target_property(common_flags assay_flags INTERFACE_COMPILE_OPTIONS)
string(GENEX_STRIP "${common_flags}" common_flags)
list(JOIN common_flags " " common_flags)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${common_flags}" ASSAY_FLAGS)
set(generated "${PROJECT_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/cmake/toolchain.hpp.in" "${generated}/toolchain.hpp" @ONLY)
add_custom_target(assay_commit
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${generated}/commit.hpp"
            -P "${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake"
    BYPRODUCTS "${generated}/commit.hpp"
    COMMENT "Looking up the commit" VERBATIM)
add_dependencies(assay_files assay_commit)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/assay/files/build_info.cpp"
    PROPERTIES INCLUDE_DIRECTORIES "${generated}")
target_include_directories(assay_files SYSTEM PRIVATE
    $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>
    $<TARGET_PROPERTY:TBB::tbb,INTERFACE_INCLUDE_DIRECTORIES>)
