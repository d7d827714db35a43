# Compressor: a thread pool, multithreaded compression jobs and their synchronisation.
source=libzstd
packages="make gcc zlib1g-dev"

build() {
  cp -r "$source_dir"/. .
  make -C tests -j "$jobs" poolTests zstreamtest fuzzer datagen MOREFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS"
  make -C programs -j "$jobs" zstd MOREFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS"
  tests/datagen -g600000 > data
}

# The thread pool's tests, the streaming tests with worker threads, and round trips by the program itself.
tests() {
  printf 'poolTests\ttests/poolTests\n'
  local threads
  for threads in 1 2 4; do
    printf 'round-trip-%s\t%s\n' $threads \
      "set -o pipefail; programs/zstd -q -T$threads -B65536 -c data | programs/zstd -q -d -c | cmp - data"
    printf 'rsyncable-%s\t%s\n' $threads \
      "set -o pipefail; programs/zstd -q --rsyncable -T$threads -c data | programs/zstd -q -d -c | cmp - data"
  done
  for threads in 1 2 3 4; do
    printf 'zstreamtest-mt-%s\ttests/zstreamtest --mt -s%s -i5 -t1\n' $threads $threads
  done
}
