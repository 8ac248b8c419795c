# cmake -DBUILD=<build folder> -DCONSUMER=<this folder> -DGENERATOR=... -DCOMPILER=... -P run.cmake
# Installs into a scratch prefix, then configures, builds and runs the consumer against it alone.
set(scratch "${BUILD}/install_consumer")
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${scratch}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${scratch}/prefix")
run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${scratch}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${scratch}/prefix"
    -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
run("${CMAKE_COMMAND}" --build "${scratch}/build")
run("${scratch}/build/consumer")
# The first example of `assay train --help`, away from the repository.
execute_process(COMMAND "${scratch}/prefix/bin/assay" train --model multilayer-perceptron
    --sampling poisson --adjacency add-remove --batch-size 128 --noise-multiplier 1 --clip-norm 1
    --epochs 1 WORKING_DIRECTORY "${scratch}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
