# Userspace RCU: lock-free lists, queues and hash tables, futexes, membarrier, signals, thread-local readers.
source=liburcu
packages="make gcc g++ autoconf automake libtool"

build() {
  cp -r "$source_dir"/. .
  autoreconf -fi
  ./configure --disable-dependency-tracking
  make -j "$jobs"
  make -C tests/unit check TESTS= -j "$jobs"
}

tests() { :; }
