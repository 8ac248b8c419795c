# build/<preset>/documents: manual pages and completions, written by the program's own code from its own
# table of options, so that they cannot say anything else than its help.
add_executable(assay_documents "${PROJECT_SOURCE_DIR}/src/documents_main.cpp")
set_target_properties(assay_documents PROPERTIES OUTPUT_NAME assay-documents)
target_link_libraries(assay_documents PRIVATE assay_cli assay_flags)
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    set(documents "${PROJECT_BINARY_DIR}/documents")
    add_custom_command(OUTPUT "${documents}/completions/assay.fish"
        COMMAND "${CMAKE_COMMAND}" -E rm -rf "${documents}"
        COMMAND assay_documents "${documents}"
        COMMENT "Writing manual pages and completions" VERBATIM)
    add_custom_target(assay_write_documents ALL DEPENDS "${documents}/completions/assay.fish")
    install(DIRECTORY "${documents}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
    install(FILES "${documents}/completions/assay.bash" RENAME assay
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${documents}/completions/_assay"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
    install(FILES "${documents}/completions/assay.fish"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
