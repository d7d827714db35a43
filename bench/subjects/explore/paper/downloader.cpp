// expect: assertion 2
// scale: 2 4 6 8 10
//
// A parallel downloader whose progress bar loses bytes, after the race on `bwritten` in aget. The segments add
// what they have written atomically; the bar takes it in two steps, so what a segment adds between the two is
// gone.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

constexpr size_t kSegmentBytes = 24;
constexpr size_t kPacketBytes = 16;

class Progress {
 public:
  void add(size_t bytes) { fresh_.fetch_add(bytes); }

  // Takes what has come since the last time into the total.
  void collect() {
    if (subject::fixed) {
      total_ += fresh_.exchange(0);
    } else if (const size_t bytes = fresh_.load(); bytes != 0) {
      total_ += bytes;
      fresh_.store(0);
    }
  }

  size_t total() const { return total_; }

 private:
  std::atomic<size_t> fresh_ = 0;
  size_t total_ = 0;  // of the thread that collects
};

class Download {
 public:
  Download(const std::string& remote, Progress& progress)
      : remote_(remote), file_(remote.size(), '\0'), progress_(progress) {}

  // One HTTP range request: its packets go to their place in the file.
  void fetch(size_t segment) {
    size_t at = segment * kSegmentBytes;
    const size_t end = at + kSegmentBytes;
    while (at < end) {
      const size_t bytes = std::min(kPacketBytes, end - at);
      std::memcpy(file_.data() + at, remote_.data() + at, bytes);
      progress_.add(bytes);
      at += bytes;
    }
  }

  bool intact() const { return std::memcmp(file_.data(), remote_.data(), remote_.size()) == 0; }

 private:
  const std::string& remote_;
  std::vector<char> file_;
  Progress& progress_;
};

std::string remote_file(size_t bytes) {
  std::string content(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) content[i] = static_cast<char>('a' + i % 26);
  return content;
}

}  // namespace

int main(int argc, char** argv) {
  const auto segments = static_cast<size_t>(subject::read_count(argc, argv, 2, 10));
  const std::string remote = remote_file(segments * kSegmentBytes);
  Progress progress;
  Download download(remote, progress);

  std::thread bar([&progress] {
    for (int redraw = 0; redraw < 2; ++redraw) progress.collect();
  });
  std::vector<std::thread> workers;
  for (size_t i = 0; i < segments; ++i) workers.emplace_back([&download, i] { download.fetch(i); });
  for (std::thread& worker : workers) worker.join();
  bar.join();

  progress.collect();
  assert(download.intact());
  assert(progress.total() == remote.size());
}
