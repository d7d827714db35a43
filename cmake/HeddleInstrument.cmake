# heddle_instrument(TARGET…): compiles and links the targets with -fsanitize=thread, with heddle's runtime in place of
# the compiler's, so that they run under heddle also when they are started by themselves. Everything that an
# executable consists of should be instrumented: its libraries too.
function(heddle_instrument)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -fsanitize=thread -g)
    # Without it clang does not report the read of `x++`.
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>"
      "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>"
      # It warns that ThreadSanitizer does not support fences; heddle does.
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan>"
      "$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-tsan>")
    target_link_options(${target} PRIVATE -fsanitize=thread
      "$<$<LINK_LANG_AND_ID:CXX,Clang>:-shared-libsan>" "$<$<LINK_LANG_AND_ID:C,Clang>:-shared-libsan>")
    # The folder has the names under which both compilers' programs look for their runtime.
    set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH "${heddle_RUNTIME_DIR}")
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "${heddle_RUNTIME_DIR}")
    # Not target_link_libraries(): a target that uses it with PRIVATE or PUBLIC anywhere must do so everywhere, and
    # whether the project does is not ours to decide.
    target_include_directories(${target} SYSTEM PRIVATE "${heddle_INCLUDE_DIR}")
  endforeach()
endfunction()
