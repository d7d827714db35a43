# Userspace RCU: grace periods by barriers, signals and membarrier, lock-free queues, futexes, busy readers, fork.
source=liburcu
packages="make gcc g++ autoconf automake libtool"

build() {
  cp -r "$source_dir"/. .
  autoreconf -fi
  ./configure --disable-dependency-tracking
  make -j "$jobs"
}

# The unit and fork tests, the torture test of each flavour, and of the benchmarks those that check what they do, one
# second each with two readers or dequeuers and two writers. Without test_urcu_lfs and test_urcu_wfcq, of which one
# execution takes up to a minute, and test_urcu_wfs, which fails natively.
tests() {
  local program
  for program in test_arch test_uatomic test_urcu_multiflavor test_urcu_multiflavor_dynlink \
      test_urcu_multiflavor_single_unit test_urcu_multiflavor_single_unit_dynlink; do
    printf '%s\tcd tests/unit && ./%s\n' $program $program
  done
  printf 'test_urcu_fork\tcd tests/regression && ./test_urcu_fork.tap\n'
  for program in mb bp membarrier qsbr signal; do
    printf 'rcutorture_%s_stress\tcd tests/regression && ./rcutorture_urcu_%s 2 stress 1\n' $program $program
    printf 'rcutorture_%s_perf\tcd tests/regression && ./rcutorture_urcu_%s 2 perf 1\n' $program $program
  done
  for program in test_urcu test_urcu_mb test_urcu_signal test_urcu_qsbr test_urcu_bp test_urcu_assign test_urcu_gc \
      test_urcu_defer test_urcu_lfq test_urcu_wfq test_rwlock test_mutex test_perthreadlock; do
    printf '%s\tcd tests/benchmark && ./%s 2 2 1\n' $program $program
  done
}
