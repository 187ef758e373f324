# `cmake --install build/release` and `cpack --config build/release/CPackConfig.cmake` (a .deb).
if(NOT TARGET vmafbatch OR VMAFBATCH_PLAIN_THREADS_ONLY)
  return()
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS vmafbatch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The device modules, where the program looks for them: ../lib/vmafbatch beside its folder.
if(VMAFBATCH_HIP_NVIDIA_MODULE)
  install(PROGRAMS ${VMAFBATCH_HIP_NVIDIA_MODULE} DESTINATION lib/vmafbatch)
endif()
if(VMAFBATCH_HIP_AMD_MODULE)
  install(PROGRAMS ${VMAFBATCH_HIP_AMD_MODULE} DESTINATION lib/vmafbatch COMPONENT hip-amd)
endif()
# Empty at first: `vmafbatch models` installs here where the folder is there and can be written.
install(DIRECTORY DESTINATION ${CMAKE_INSTALL_DATADIR}/vmafbatch/models)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# The program carries dygraphs in itself, whose licence asks that its text comes along.
install(FILES /usr/share/doc/libjs-dygraphs/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright.dygraphs OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(FILES docs/vmafbatch.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES examples/catalogue.csv examples/queries.sql scripts/make-example-clips.sh
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# The program writes its own completion files.
if(EXISTS ${PROJECT_SOURCE_DIR}/cli/completion.cpp)
  set(completions)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT completion.${shell} COMMAND vmafbatch completion ${shell} > completion.${shell}
      DEPENDS vmafbatch VERBATIM)
    list(APPEND completions completion.${shell})
  endforeach()
  add_custom_target(vmafbatch_completion ALL DEPENDS ${completions})
  install(FILES ${PROJECT_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME vmafbatch)
  install(FILES ${PROJECT_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
    RENAME _vmafbatch)
  install(FILES ${PROJECT_BINARY_DIR}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    RENAME vmafbatch.fish)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vmafbatch)
set(CPACK_PACKAGE_VENDOR "The vmafbatch authors")
set(CPACK_PACKAGE_CONTACT "The vmafbatch authors <vmafbatch@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION video)
# The libraries that the program is linked with, as dpkg-shlibdeps finds them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The AMD module has a package of its own, vmafbatch-hip-amd: it needs AMD's runtime, which the program does not.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME vmafbatch)
set(CPACK_DEBIAN_HIP-AMD_PACKAGE_NAME vmafbatch-hip-amd)
set(CPACK_DEBIAN_HIP-AMD_PACKAGE_DEPENDS "vmafbatch (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_HIP-AMD_DESCRIPTION "The device module of vmafbatch for AMD GPUs")
include(CPack)
