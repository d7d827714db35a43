# Precompiled headers for the small programs of tests/, whose compilation is little else than reading the standard
# library's. The code that comes out is the same; objects stay apart, so that ccache helps.
find_program(HEDDLE_PROGRAM_GCC NAMES gcc-12 gcc REQUIRED)
find_program(HEDDLE_PROGRAM_GXX NAMES g++-12 g++ REQUIRED)
find_program(HEDDLE_PROGRAM_CLANG NAMES clang-19 clang REQUIRED)
find_program(HEDDLE_PROGRAM_CLANGXX NAMES clang++-19 clang++ REQUIRED)

# How programs that can use them are compiled; both compilers refuse headers of another setting.
set(HEDDLE_PROGRAM_FLAGS -std=c++20 -O1 -g -fsanitize=thread)
set(HEDDLE_PROGRAM_HEADERS_DIR "${PROJECT_BINARY_DIR}/tests/program_headers")

# Once, before the functions below are used.
function(heddle_build_program_headers)
  set(header "${PROJECT_SOURCE_DIR}/tests/program_headers.h")
  file(MAKE_DIRECTORY "${HEDDLE_PROGRAM_HEADERS_DIR}")
  foreach(compiler gcc clang)
    set(driver "${HEDDLE_PROGRAM_GXX}")
    set(timeless "")
    set(binary "${HEDDLE_PROGRAM_HEADERS_DIR}/program_headers.h.gch")
    if(compiler STREQUAL clang)
      set(driver "${HEDDLE_PROGRAM_CLANGXX}")
      # What ccache kept of another clone was made of a header with another date.
      set(timeless -Xclang -fno-pch-timestamp)
      set(binary "${HEDDLE_PROGRAM_HEADERS_DIR}/program_headers.pch")
    endif()
    # ccache reads the sum in place of the file itself, for each program anew: half of what a program costs.
    add_custom_command(OUTPUT "${binary}"
      COMMAND ${HEDDLE_CCACHE_COMMAND} ${driver} ${HEDDLE_PROGRAM_FLAGS} ${timeless} -MD -MF "${binary}.d"
              -MT "${binary}" -x c++-header -c "${header}" -o "${binary}"
      COMMAND "${CMAKE_COMMAND}" -E sha256sum "${binary}" > "${binary}.sum"
      DEPENDS "${header}"
      DEPFILE "${binary}.d"
      COMMENT "Precompiling the headers of test programs with ${compiler}"
      VERBATIM)
    list(APPEND binaries "${binary}")
  endforeach()
  add_custom_target(program_headers DEPENDS ${binaries})
endfunction()

# heddle_program_headers(SOURCE COMPILER FLAGS FILE): the flags for a program that includes what is precompiled, and
# the file that it depends on then; both empty for another.
function(heddle_program_headers source compiler flags file)
  set(${flags} "" PARENT_SCOPE)
  set(${file} "" PARENT_SCOPE)
  file(STRINGS "${source}" included REGEX "^#include <(atomic|condition_variable|mutex|thread)>" LIMIT_COUNT 1)
  if(NOT included)
    return()
  endif()
  if(compiler STREQUAL clang)
    set(binary "${HEDDLE_PROGRAM_HEADERS_DIR}/program_headers.pch")
    set(${flags} -include-pch "${binary}" PARENT_SCOPE)
  else()
    set(binary "${HEDDLE_PROGRAM_HEADERS_DIR}/program_headers.h.gch")
    set(${flags} -Winvalid-pch -include "${HEDDLE_PROGRAM_HEADERS_DIR}/program_headers.h" PARENT_SCOPE)
  endif()
  set(${file} program_headers "${binary}" PARENT_SCOPE)
endfunction()
