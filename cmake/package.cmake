# `make deb`: program, library, headers, CMake configuration, manual pages, completions and data as one
# Debian package, in build/<preset>/package. assay-mpi is left out: it would bring MPI with it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VENDOR "The Assay authors")
# A package has to name an address; .invalid is the top-level domain for what is none (RFC 2606).
set(CPACK_PACKAGE_CONTACT "The Assay authors <authors@assay.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "certified bounds of differential privacy")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Answers questions about the differential privacy of subsampled Gaussian
mechanisms with a lower and an upper bound, rounding included, each with the
theorem that it rests on: a program, and a C++20 library with its headers and
CMake configuration.")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/package")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What `--plot` draws with, and what the installed CMake configuration looks for, by component.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libfmt-dev, python3, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, libeigen3-dev, libtbb-dev, zlib1g-dev")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL Unspecified package)

# What Debian wants beside the files: the licence as "copyright", and the changes, compressed.
set(package_folder "${PROJECT_BINARY_DIR}/package")
set(package_doc "${CMAKE_INSTALL_DATADIR}/doc/assay")
file(MAKE_DIRECTORY "${package_folder}")
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license "${license}")
string(STRIP "${license}" license)
file(CONFIGURE OUTPUT "${package_folder}/copyright" CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: assay

Files: *
Copyright: 2026 The Assay authors
License: Expat
 ${license}
" @ONLY)
find_program(GZIP gzip)
if(GZIP)
    execute_process(COMMAND "${GZIP}" -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        OUTPUT_FILE "${package_folder}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
    install(FILES "${package_folder}/changelog.gz" DESTINATION "${package_doc}" COMPONENT package
            EXCLUDE_FROM_ALL)
endif()
install(FILES "${package_folder}/copyright" DESTINATION "${package_doc}" COMPONENT package
        EXCLUDE_FROM_ALL)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/compress_manual.cmake")
include(CPack)
