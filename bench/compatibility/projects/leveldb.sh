# Key-value store: background compaction thread, condition variables, atomic snapshots.
source=leveldb
packages="cmake ninja-build g++ libgtest-dev libgmock-dev libbenchmark-dev libsnappy-dev"

# Debian builds without the bundled GoogleTest; so do we.
build() {
  cmake -S "$source_dir" -B . -G Ninja -DCMAKE_BUILD_TYPE=None -DLEVELDB_BUILD_BENCHMARKS=OFF
  ninja -j "$jobs"
}

# The cases of db_test one by one, without the benchmarks that come before them. What takes minutes with 20 seeds is left
# out: three long cases of db_test (MultiThreaded works for ten seconds whatever it achieves), issue178_test and
# issue320_test, long sequences of writes by one thread, and the five alike tests of skiplist_test that make a thousand
# rounds of random accesses.
tests() {
  local program name
  for program in ./*_test; do
    case $program in *db_test | *skiplist_test | *issue178_test | *issue320_test) continue ;; esac
    printf '%s\tTEST_TMPDIR=$TMPDIR %s\n' "$(basename "$program")" "$program"
  done
  printf 'skiplist_test\tTEST_TMPDIR=$TMPDIR ./skiplist_test --gtest_filter=-*Concurrent?\n'
  for name in $(BENCHMARK_FILTER=none ./db_test --gtest_list_tests | awk '/^[A-Z]/ {suite = $1; next} {print suite $1}' |
      grep -v 'Randomized\|MultiThreaded\|SparseMerge'); do
    printf '%s\tTEST_TMPDIR=$TMPDIR BENCHMARK_FILTER=none ./db_test --gtest_filter=%s\n' "$name" "$name"
  done
}
