# How every target of heddle is compiled: one place for warnings, include paths and test registration.

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers)
# Line numbers make stacks readable and cost a tenth of a compilation, all of -g a third; the preset `debug` has all.
target_compile_options(heddle_options INTERFACE $<$<CONFIG:RelWithDebInfo>:-g1>)
if(HEDDLE_WERROR)
  target_compile_options(heddle_options INTERFACE -Werror)
endif()

# Most of a compilation is the reading of headers and the instantiation of the same templates, so the files of a target
# are compiled together; a module in one piece takes two thirds of the time that it takes in pieces of eight files. No
# more than this many, for the sake of memory and of the other cores: 40 files of a module take 1.1 GB.
set(HEDDLE_UNITY_FILES 40)

# heddle_compile_together(TARGET)
function(heddle_compile_together name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE ${HEDDLE_UNITY_FILES})
endfunction()

# heddle_compile_quickly(TARGET): for code that computes little itself: reads arguments, orders what others do, prints
# results. -O1 spares a third of its compilation, of which CLI11, where it is included, takes more than half.
function(heddle_compile_quickly name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  heddle_compile_together(${name})
endfunction()

# heddle_allocate_quickly(TARGET): for executables that put whole programs together from facts of all sizes. glibc's
# malloc takes a third of that, tcmalloc hardly anything. Never for what is loaded into programs under test.
find_library(HEDDLE_TCMALLOC tcmalloc_minimal)
function(heddle_allocate_quickly name)
  if(HEDDLE_TCMALLOC)
    target_link_libraries(${name} PRIVATE "${HEDDLE_TCMALLOC}")
  endif()
endfunction()

# heddle_library(NAME SOURCES… [DEPENDS targets…]): one module of src/.
function(heddle_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC heddle_options ${ARG_DEPENDS})
  heddle_compile_together(${name})
endfunction()

# Most of a test's compilation is the optimisation and the debug information of what GoogleTest's macros expand to,
# and the reading of its headers: unoptimised, with line numbers alone and with the headers precompiled, a test takes
# a third of the time. The modules under test keep their own flags.
set(HEDDLE_TEST_FLAGS "$<$<CONFIG:RelWithDebInfo>:-O0;-g1>")

# The owner of the precompiled headers: executables can use them only if they were compiled as -fPIE.
if(HEDDLE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cpp" CONTENT "// Nothing but the headers.\n")
  add_library(heddle_test_headers STATIC "${PROJECT_BINARY_DIR}/test_headers.cpp")
  target_link_libraries(heddle_test_headers PRIVATE heddle_options GTest::gtest)
  set_target_properties(heddle_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(heddle_test_headers PRIVATE -fPIE ${HEDDLE_TEST_FLAGS})
  target_precompile_headers(heddle_test_headers PRIVATE <gtest/gtest.h>)
endif()

# heddle_test(NAME SOURCES… [DEPENDS targets…] [OPTIMIZED]): a GoogleTest binary, registered as one CTest entry.
# Sources not called *_test.cpp (oracles, generators) are optimised; OPTIMIZED is for tests that compute much themselves.
function(heddle_test name)
  cmake_parse_arguments(ARG "OPTIMIZED" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} heddle_options GTest::gtest GTest::gtest_main)
  heddle_compile_together(${name})
  if(NOT ARG_OPTIMIZED)
    target_compile_options(${name} PRIVATE ${HEDDLE_TEST_FLAGS})
    target_precompile_headers(${name} REUSE_FROM heddle_test_headers)
    set(helpers ${ARG_SOURCES})
    list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
    set_source_files_properties(${helpers} PROPERTIES
      COMPILE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O2>" SKIP_PRECOMPILE_HEADERS ON)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  # A folder of this build's own, so that tests of two builds can run at the same time.
  set(temporary "${CMAKE_CURRENT_BINARY_DIR}/${name}.tmp")
  file(MAKE_DIRECTORY "${temporary}")
  # Long ones start first, so that none of them is left to run alone on one core at the end.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_TIMEOUT}
    ENVIRONMENT "TEST_TMPDIR=${temporary}")
endfunction()
