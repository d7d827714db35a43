# Key-value store: background compaction thread, condition variables, atomic snapshots.
source=leveldb
packages="cmake ninja-build g++ libgtest-dev libgmock-dev libbenchmark-dev libsnappy-dev"

# Debian builds without the bundled GoogleTest; so do we.
build() {
  cmake -S "$source_dir" -B . -G Ninja -DCMAKE_BUILD_TYPE=None -DLEVELDB_BUILD_BENCHMARKS=OFF
  ninja -j "$jobs"
}

tests() {
  local program
  for program in ./*_test; do
    printf '%s\tTEST_TMPDIR=$(mktemp -d) %s\n' "$(basename "$program")" "$program"
  done
}
