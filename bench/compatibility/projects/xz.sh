# Compressor: multithreaded encoder and decoder with condition variables and signals.
source=xz-utils
packages="make gcc autoconf automake libtool autopoint gettext po4a"

build() {
  cp -r "$source_dir"/. .
  ./configure --disable-dependency-tracking --disable-nls --disable-shared --disable-doc
  make -j "$jobs"
  make -C tests check TESTS= -j "$jobs"
  seq 1 100000 > numbers
}

# Its tests, and round trips with several threads, which they leave to the user.
tests() {
  local program threads
  for program in check stream_flags filter_flags block_header index index_hash bcj_exact_size memlimit lzip_decoder vli; do
    printf 'test_%s\tcd tests && srcdir=. ./test_%s\n' $program $program
  done
  printf 'test_files\tcd tests && srcdir=. sh ./test_files.sh\n'
  for threads in 2 4; do
    printf 'round-trip-%s\t%s\n' $threads \
      "src/xz/xz -T$threads --block-size=100KiB -1 -c numbers | src/xz/xz -d -T$threads -c | cmp - numbers"
    printf 'list-%s\t%s\n' $threads \
      "src/xz/xz -T$threads --block-size=100KiB -0 -c numbers | src/xz/xz -t -T$threads"
  done
}
