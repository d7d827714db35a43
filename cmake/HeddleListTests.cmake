# Run after PROGRAM was linked: writes SCRIPT, by which CTest knows its cases (heddle_discover_tests()).
set(with "\"${HEDDLE}\" explore")
foreach(option IN LISTS OPTIONS)
  string(APPEND with " \"${option}\"")
endforeach()
execute_process(
  COMMAND "${HEDDLE}" list --format ctest --with "${with} --" --prefix "${PREFIX}" --label heddle -- "${PROGRAM}"
  OUTPUT_VARIABLE text ERROR_VARIABLE words RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "heddle cannot list the tests of ${PROGRAM}: ${words}")
endif()
file(WRITE "${SCRIPT}" "${text}")
