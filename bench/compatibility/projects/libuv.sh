# Event loop: epoll, thread pool, signals, child processes, and one test for each primitive it wraps.
source=libuv1
packages="cmake ninja-build gcc netbase jq"

build() {
  cmake -S "$source_dir" -B . -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=ON
  ninja -j "$jobs" uv_run_tests_a
  cp -r "$source_dir/test" .
}

# Those that are about threads. With one argument the runner executes a test in a child, with two in itself.
tests() {
  local name
  for name in $(./uv_run_tests_a --list | grep -E \
      '^(barrier|condvar|semaphore|thread|mutex|async|threadpool|queue|loop_(alive|close|stop|update_time)|timer|fs_async|random_async|signal_(.*loop|pending)|eintr|metrics_idle_time_thread|process_title_threadsafe|key|once|work)'); do
    printf '%s\t./uv_run_tests_a %s %s\n' "$name" "$name" "$name"
  done
}
