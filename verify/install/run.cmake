# cmake -DBUILD=<build folder> -DSOURCE=<root> -DGENERATOR=... -DCOMPILER=... -DPYTHON=... -P run.cmake
# Installs into a scratch prefix, and uses the library from there as a stranger would.
set(scratch "${BUILD}/install_consumer")
set(prefix "${scratch}/prefix")
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure source build)
    run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
        -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON ${ARGN})
endfunction()

file(REMOVE_RECURSE "${scratch}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# Every example prints what it should.
file(COPY "${SOURCE}/examples" DESTINATION "${scratch}")
configure("${scratch}/examples" "${scratch}/build")
run("${CMAKE_COMMAND}" --build "${scratch}/build")
run("${PYTHON}" "${SOURCE}/verify/install/check_examples.py" "${scratch}/examples"
    "${scratch}/build")

# What docs/api.md shows compiles.
execute_process(COMMAND "${PYTHON}" "${SOURCE}/verify/install/code_of_page.py" "${SOURCE}/docs/api.md"
    OUTPUT_FILE "${scratch}/api.cpp" COMMAND_ERROR_IS_FATAL ANY)
run("${COMPILER}" -std=c++20 -fsyntax-only "-I${prefix}/include" "${scratch}/api.cpp")

# The installed headers compile, beside each other and by themselves.
configure("${SOURCE}/verify/install/headers" "${scratch}/headers" "-DSOURCE=${SOURCE}")
run("${CMAKE_COMMAND}" --build "${scratch}/headers")

# Accounting needs nothing of what the other components need, and gets nothing of it.
configure("${scratch}/examples" "${scratch}/accounting" -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
run("${CMAKE_COMMAND}" --build "${scratch}/accounting" --target five_lines)
foreach(name ledger monte_carlo)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${scratch}/accounting" --target ${name}
        OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE refused)
    if(NOT refused)
        message(FATAL_ERROR "${name} was built without what its component needs")
    endif()
endforeach()
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${scratch}/accounting/five_lines"
    RESOLVED_DEPENDENCIES_VAR linked UNRESOLVED_DEPENDENCIES_VAR unresolved)
execute_process(COMMAND "${COMPILER}" -std=c++20 -E "-I${prefix}/include"
    "${scratch}/examples/five_lines.cpp" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n# [0-9]+ \"[^\"]+\"" included "${text}")
if("${linked};${unresolved}" MATCHES "/lib(tbb|z|mpi)[^;/]*\\.so")
    message(FATAL_ERROR "accounting alone links ${CMAKE_MATCH_0}")
elseif("${included}" MATCHES "/(tbb|oneapi|eigen3|Eigen|boost|fmt|zlib)[^\"]*")
    message(FATAL_ERROR "accounting alone includes ${CMAKE_MATCH_0}")
endif()

# It can be built alone, too.
configure("${SOURCE}" "${scratch}/accounting_only" -DASSAY_ACCOUNTING_ONLY=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)

# The first example of `assay train --help`, away from the repository.
execute_process(COMMAND "${prefix}/bin/assay" train --model multilayer-perceptron
    --sampling poisson --adjacency add-remove --batch-size 128 --noise-multiplier 1 --clip-norm 1
    --epochs 1 WORKING_DIRECTORY "${scratch}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
