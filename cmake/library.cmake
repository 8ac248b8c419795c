# The library: components that a project can ask for one by one. Each is the sources of some folders
# of src/assay, and installs of their headers those that an umbrella (src/assay/*.hpp) reaches.

# Every header that an umbrella includes, directly or through others.
file(GLOB umbrellas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/assay/*.hpp")
set(public_headers ${umbrellas})
set(unread ${umbrellas})
while(unread)
    list(POP_FRONT unread header)
    file(STRINGS "${header}" includes REGEX "^#include \"assay/")
    foreach(line IN LISTS includes)
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "${PROJECT_SOURCE_DIR}/src/\\1" found "${line}")
        if(NOT found IN_LIST public_headers)
            list(APPEND public_headers "${found}")
            list(APPEND unread "${found}")
        endif()
    endforeach()
endwhile()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/assay")

# assay_component(<name> UMBRELLA <header> FOLDERS <folder>...): the target assay::<name>.
function(assay_component name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "UMBRELLA" "FOLDERS")
    set(sources)
    set(headers)
    foreach(folder IN LISTS arg_FOLDERS)
        assay_sources(found "${PROJECT_SOURCE_DIR}/src/assay/${folder}")
        if(NOT RANDOM123_INCLUDE_DIR)  # random numbers are for the other components
            list(FILTER found EXCLUDE REGEX "/(random_streams|tail_table)\\.cpp$")
        endif()
        list(APPEND sources ${found})
        set(found ${public_headers})
        list(FILTER found INCLUDE REGEX "/src/assay/${folder}/")
        list(APPEND headers ${found})
    endforeach()
    if(arg_UMBRELLA)
        list(APPEND headers "${PROJECT_SOURCE_DIR}/src/assay/${arg_UMBRELLA}")
    endif()
    add_library(assay_${name} STATIC ${sources})
    add_library(assay::${name} ALIAS assay_${name})
    set_target_properties(assay_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(assay_${name} PUBLIC cxx_std_20)
    target_sources(assay_${name} PUBLIC
        FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
    target_link_libraries(assay_${name} PRIVATE ${ASSAY_FMT}
        "$<BUILD_INTERFACE:assay_flags>" "$<BUILD_INTERFACE:Boost::headers>")
    assay_precompile_headers(assay_${name})
    assay_compile_formatting_in_batches(assay_${name} 4)
    install(TARGETS assay_${name} EXPORT assay-${name} FILE_SET HEADERS)
    install(EXPORT assay-${name} NAMESPACE assay:: DESTINATION "${package_folder}")
endfunction()

assay_component(accounting UMBRELLA assay.hpp FOLDERS numeric privacy rdp pld epochs account)

# find_package(assay COMPONENTS accounting) then gives assay::accounting.
include(CMakePackageConfigHelpers)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/assayConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/assayConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/assayConfig.cmake"
              "${PROJECT_BINARY_DIR}/assayConfigVersion.cmake" DESTINATION "${package_folder}")
