# cmake -DSOURCE=<root> -DOUTPUT=<header> -P write_commit.cmake
# "dirty" speaks of the files that can change a result, not of documents or accepted goldens.
set(commit unknown)
set(dirty false)
find_package(Git QUIET)
if(GIT_FOUND)
    set(git "${GIT_EXECUTABLE}" -C "${SOURCE}")
    execute_process(COMMAND ${git} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE head RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
        set(commit "${head}")
        execute_process(COMMAND ${git} status --porcelain -- src experiments cmake CMakeLists.txt
                                CMakePresets.json
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(changes)
            set(dirty true)
        endif()
    endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
"#pragma once
#define ASSAY_COMMIT \"${commit}\"
#define ASSAY_DIRTY ${dirty}
")
