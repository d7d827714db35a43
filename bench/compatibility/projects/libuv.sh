# Event loop: epoll, thread pool, signals, timers, child processes, and tests for each primitive that it wraps.
source=libuv1
packages="cmake ninja-build gcc netbase"

build() {
  cmake -S "$source_dir" -B . -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=ON
  ninja -j "$jobs" uv_run_tests_a
  cp -r "$source_dir/test" .
}

# Those that need no second process beside them, nor an environment without LD_LIBRARY_PATH (spawn_empty_env), nor
# an answer from outside (tcp_close_while_connecting, whose verdict varies natively). With one
# argument the runner executes a test in a child, with two in itself. They leave files behind, so each has a folder of its
# own.
tests() {
  local name
  for name in $(UV_RUN_AS_ROOT=1 ./uv_run_tests_a --list | grep -v "helpers\|spawn_empty_env\|tcp_close_while_connecting"); do
    printf '%s\tcd "$TMPDIR" && mkdir test && cp -r "$out/test/fixtures" test && %s %s %s\n' "$name" \
      'UV_RUN_AS_ROOT=1 "$out/uv_run_tests_a"' "$name" "$name"
  done
}
