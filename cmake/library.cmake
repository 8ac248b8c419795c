# The library: everything under src/assay except the program.
assay_sources(library_sources "${PROJECT_SOURCE_DIR}/src/assay")
list(FILTER library_sources EXCLUDE REGEX "/src/assay/cli/")
add_library(assay STATIC ${library_sources})
add_library(assay::assay ALIAS assay)
target_compile_features(assay PUBLIC cxx_std_20)
target_include_directories(assay PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(assay
    PUBLIC Boost::headers Eigen3::Eigen TBB::tbb Threads::Threads fmt::fmt
    PRIVATE ZLIB::ZLIB $<BUILD_INTERFACE:assay_flags>)

# Build information. The compiler, its flags and the version are known now; the commit is looked up
# at every build, and its header is rewritten only when it changed, so that a commit recompiles one
# file (files/build_info.cpp).
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
add_dependencies(assay assay_commit)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/assay/files/build_info.cpp"
    PROPERTIES INCLUDE_DIRECTORIES "${generated}")

# Installation: find_package(assay) then gives assay::assay.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/assay")
install(TARGETS assay EXPORT assayTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/assay" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN cli EXCLUDE)
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION "${package_folder}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/assayConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/assayConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/assayConfig.cmake"
              "${PROJECT_BINARY_DIR}/assayConfigVersion.cmake" DESTINATION "${package_folder}")
