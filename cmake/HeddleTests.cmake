# Tests of CMake that run under heddle. Their programs are instrumented (heddle_instrument()); a failing test writes the
# schedule that shows why to its working folder. `heddle check` knows these tests for what they are and executes their
# programs by itself.

# What heddle does with a test, unless OPTIONS says otherwise.
set(HEDDLE_TEST_OPTIONS --budget 10s --detect race CACHE STRING "Options of `heddle explore` for tests that give none")

# heddle_add_test(NAME NAME COMMAND TARGET-OR-PROGRAM [ARGUMENT…] [OPTIONS OPTION…] [WORKING_DIRECTORY FOLDER]):
# add_test(), with the schedules of the program searched by `heddle explore OPTION…`.
function(heddle_add_test)
  cmake_parse_arguments(ARG "" "NAME;WORKING_DIRECTORY" "COMMAND;OPTIONS" ${ARGN})
  if(NOT ARG_NAME OR NOT ARG_COMMAND OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "heddle_add_test(NAME name COMMAND program [argument...] [OPTIONS option...] [WORKING_DIRECTORY folder])")
  endif()
  if(NOT ARG_OPTIONS)
    set(ARG_OPTIONS ${HEDDLE_TEST_OPTIONS})
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  list(POP_FRONT ARG_COMMAND program)
  if(TARGET ${program})
    set(program "$<TARGET_FILE:${program}>")
  endif()
  add_test(NAME ${ARG_NAME} COMMAND "${HEDDLE_EXECUTABLE}" explore ${ARG_OPTIONS} -- "${program}" ${ARG_COMMAND}
           WORKING_DIRECTORY "${ARG_WORKING_DIRECTORY}")
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS heddle)
endfunction()

# heddle_discover_tests(TARGET [PREFIX PREFIX] [OPTIONS OPTION…]): the same for each case of a GoogleTest, Catch2 or
# doctest program, which are found out each time it is linked.
function(heddle_discover_tests target)
  cmake_parse_arguments(ARG "" "PREFIX" "OPTIONS" ${ARGN})
  if(NOT TARGET ${target} OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_discover_tests(target [PREFIX prefix] [OPTIONS option...])")
  endif()
  if(NOT ARG_OPTIONS)
    set(ARG_OPTIONS ${HEDDLE_TEST_OPTIONS})
  endif()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.heddle-tests.cmake")
  # Before the first build there is nothing to include.
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${target}.heddle-include.cmake")
  file(WRITE "${include}"
    "if(EXISTS [==[${script}]==])\n  include([==[${script}]==])\nelse()\n  add_test([==[${target}_NOT_BUILT]==] NOT_AVAILABLE)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DHEDDLE=${HEDDLE_EXECUTABLE}" "-DPROGRAM=$<TARGET_FILE:${target}>"
            "-DOPTIONS=${ARG_OPTIONS}" "-DPREFIX=${ARG_PREFIX}" "-DSCRIPT=${script}"
            -P "${HEDDLE_LIST_TESTS}"
    BYPRODUCTS "${script}"
    COMMENT "Finding the tests of ${target}"
    VERBATIM)
endfunction()

set(HEDDLE_LIST_TESTS "${CMAKE_CURRENT_LIST_DIR}/HeddleListTests.cmake" CACHE INTERNAL "")
