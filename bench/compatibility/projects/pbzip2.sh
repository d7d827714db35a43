# Parallel compressor: producer, consumers and a file writer around bounded queues.
source=pbzip2
packages="make g++ libbz2-dev bzip2"

build() {
  cp -r "$source_dir"/. .
  make CXX="$CXX" CXXFLAGS="$CXXFLAGS" LDFLAGS="$LDFLAGS" -j "$jobs"
  seq 1 200000 > numbers
}

# Debian's tests of the package, and round trips with several threads; the project itself has none.
tests() {
  local threads
  printf 'debian-decompress\t%s\n' './pbzip2 -c -d debian/tests/stuff/random10K.gz | cmp - debian/tests/stuff/random10K'
  printf 'debian-compress\t%s\n' './pbzip2 -c -z debian/tests/stuff/random10K | cmp - debian/tests/stuff/random10K.gz'
  for threads in 1 2 4; do
    printf 'round-trip-%s\t%s\n' $threads \
      "./pbzip2 -b1 -p$threads -c numbers | tee >(bzip2 -t) | ./pbzip2 -d -p$threads -c | cmp - numbers"
    printf 'from-bzip2-%s\t%s\n' $threads \
      "bzip2 -c numbers | ./pbzip2 -d -p$threads -c | cmp - numbers"
    printf 'test-%s\t%s\n' $threads "bzip2 -c numbers > n\$\$.bz2; ./pbzip2 -t -p$threads n\$\$.bz2; s=\$?; rm n\$\$.bz2; exit \$s"
  done
  printf 'cut-off\t%s\n' "bzip2 -c numbers | head -c 100000 > c\$\$.bz2; ./pbzip2 -d -p2 -c c\$\$.bz2 > /dev/null; s=\$((\$? != 1)); rm c\$\$.bz2; exit \$s"
  printf 'help\t%s\n' '{ ./pbzip2 -h 2>&1; [ $? = 255 ]; } | grep Example: > /dev/null'
}
