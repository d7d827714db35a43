# Messaging library: worker threads, condition variables, epoll, sockets of all kinds, timeouts everywhere.
source=nng
packages="cmake ninja-build gcc g++ jq"

build() {
  cmake -S "$source_dir" -B . -G Ninja -DCMAKE_BUILD_TYPE=None -DNNG_TESTS=ON
  ninja -j "$jobs"
}

# Without those that start several processes which wait for each other by sleeping (nngcat), and those that work for
# 15 or 30 seconds whatever they achieve (nonblock, multistress, reqstress).
tests() {
  ctest --show-only=json-v1 | jq -r '.tests[] | "\(.name)\t\(.command | map(@sh) | join(" "))"' |
    grep -v 'nngcat\|stress\|nonblock'
}
