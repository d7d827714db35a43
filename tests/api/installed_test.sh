#!/bin/sh
# Installs heddle's build tree ($1) below the work folder ($2), and builds a project that finds it there by CMake, with
# the default compiler and with $3, and by pkg-config.
set -eu
build=$1
work=$2
clang=$3
source=$(dirname "$0")/installed
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" > "$work/install.log"

for compiler in "" "$clang"; do
  project="$work/project${compiler:+-clang}"
  cmake -S "$source" -B "$project" -Dheddle_DIR="$work/prefix/lib/cmake/heddle" \
    ${compiler:+-DCMAKE_CXX_COMPILER="$compiler"} > "$project.log"
  cmake --build "$project" >> "$project.log"
  (cd "$project" && ./lost_update && ./fenced_first && ./fenced_last)
  # The schedule that it has written shows the same failure under the tool: exit code 1.
  (cd "$project" && "$work/prefix/bin/heddle" replay heddle-lost-update-assertion.schedule 2>&1) > "$project.replay" &&
    exit 1
  grep -q "reproduced: assertion" "$project.replay"
done

# Each case is a test; that of the race fails.
ctest --test-dir "$work/project" > "$work/ctest.log" 2>&1 && exit 1
grep -q "75% tests passed, 1 tests failed out of 4" "$work/ctest.log"
grep -q "searched.Counter.Unlocked (Failed)" "$work/ctest.log"

PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # several words
c++ -std=c++17 -O1 "$source/lost_update.cpp" $(pkg-config --cflags --libs heddle) -pthread -o "$work/by_pkg_config"
(cd "$work" && ./by_pkg_config)
