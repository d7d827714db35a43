#!/bin/bash
# Every static variable of the runtime says what becomes of it when executions follow one another in one
# process: state_test.sh LIBRARY
set -euo pipefail
library=$1
list=$(dirname "$0")/process_state.txt

# Writable data outside of the sections of HEDDLE_EXECUTION and HEDDLE_WORLD. What compilers and linkers add, and
# addresses of libc's functions, are no state.
variables() {
  objdump --syms --demangle "$library" | awk '/ O (\.data|\.bss)\t/' |
    sed -E 's/.*\t[0-9a-f]+ +//; s/^\.hidden //; s/\(anonymous namespace\):://g; s/heddle::rt:://g; s/\(.*\)::/::/' |
    grep -Ev '^(guard variable for .*|heddle_real_.*|DW\.ref\..*|__dso_handle|__TMC_END__|completed\.[0-9]+)$' |
    sort -u
}
known() {
  sed 's/#.*//' "$list" | tr -s ' ' '\n' | sed '/^$/d' | sort -u
}

unmarked=$(comm -23 <(variables) <(known))
if [ -n "$unmarked" ]; then
  echo "Nothing says what becomes of these variables when the next execution begins in the same process:"
  echo "$unmarked" | sed 's/^/  /'
  echo "Mark them HEDDLE_EXECUTION or HEDDLE_WORLD (src/runtime/runtime.h explains), or list them in $list."
  exit 1
fi
gone=$(comm -13 <(variables) <(known))
if [ -n "$gone" ]; then
  echo "These variables in $list are no more:"
  echo "$gone" | sed 's/^/  /'
  exit 1
fi
