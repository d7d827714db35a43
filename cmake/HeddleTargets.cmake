# How every target of heddle is compiled: one place for warnings, include paths and test registration.

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers)
if(HEDDLE_WERROR)
  target_compile_options(heddle_options INTERFACE -Werror)
endif()

# heddle_library(NAME SOURCES… [DEPENDS targets…]): one module of src/.
function(heddle_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC heddle_options ${ARG_DEPENDS})
endfunction()

# heddle_test(NAME SOURCES… [DEPENDS targets…]): a GoogleTest binary, registered as one CTest entry.
function(heddle_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} heddle_options GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  # A folder of this build's own, so that tests of two builds can run at the same time.
  set(temporary "${CMAKE_CURRENT_BINARY_DIR}/${name}.tmp")
  file(MAKE_DIRECTORY "${temporary}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "TEST_TMPDIR=${temporary}")
endfunction()
