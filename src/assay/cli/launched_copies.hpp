#pragma once

namespace assay::cli {

/// Which of how many copies of this program an MPI launcher started. Under `srun` alone every copy
/// may have a task of its own, so that its numbers are not asked.
struct LaunchedCopies {
    int count = 1;
    int index = 0;
};

/// From the environment of Open MPI (OMPI_COMM_WORLD_*) or of MPICH and its kin (PMI_*).
[[nodiscard]] LaunchedCopies launched_copies();

}  // namespace assay::cli
