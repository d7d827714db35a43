# `cpack` makes a Debian package and an archive of what `cmake --install` installs (scripts/package).
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "the heddle maintainers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_FILE_NAME "heddle-${PROJECT_VERSION}-linux-x86_64")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The debuggers' scripts read the runtime's variables by their names.
set(CPACK_STRIP_FILES OFF)
# In the package everything is below /usr; the archive has one folder that may lie anywhere.
set(CPACK_PACKAGING_INSTALL_PREFIX "")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the tool calls, and what is compiled with it: fuzzing and class reading take clang, whatever the project takes.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "git, g++ | clang-19")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake, ninja-build, clang-19, libclang-rt-19-dev, gdb")
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/HeddlePackagePrefix.cmake")
include(CPack)
