# build/<preset>/assay-mpi: the program with its Monte Carlo runs on the ranks of MPI. Nothing else
# knows MPI: neither the library nor the ordinary program depends on it.
option(ASSAY_MPI "Build assay-mpi where MPI is found" ON)
if(ASSAY_MPI AND NOT ASSAY_SANITIZE)  # MPI itself does not pass the sanitizers
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
        add_executable(assay_mpi "${PROJECT_SOURCE_DIR}/src/mpi_main.cpp")
        set_target_properties(assay_mpi PROPERTIES OUTPUT_NAME assay-mpi)
        target_link_libraries(assay_mpi PRIVATE assay_cli MPI::MPI_CXX assay_flags)
        install(TARGETS assay_mpi COMPONENT mpi)
    else()
        message(STATUS "MPI not found: assay-mpi is not built")
    endif()
endif()
