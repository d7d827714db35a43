// Writes the seed corpora of the fuzzers: `make_corpus FOLDER` fills FOLDER/trace, FOLDER/schedule and
// FOLDER/std. FOLDER is cleared first: libFuzzer adds what it finds, and every test run should start from the
// same seeds.
#include <cstdio>
#include <filesystem>
#include <string>

#include "random_trace.h"
#include "trace/schedule.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace {

// Small enough to be read in a moment, many enough to show every kind of record and line.
constexpr uint64_t kSeeds = 24;

heddle::Expected<void> make_corpus(const std::string& folder) {
  using namespace heddle::trace;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/trace");
  std::filesystem::create_directories(folder + "/schedule");
  std::filesystem::create_directories(folder + "/std");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string number = std::to_string(seed);
    const std::string extension = seed % 4 == 0 ? ".zst" : ".trace";
    auto written = write_trace(folder + "/trace/" + number + extension, random_trace(seed));
    if (written) {
      written = write_schedule_file(folder + "/schedule/" + number, random_schedule(seed));
    }
    if (written) {
      written = write_std(random_trace(seed), folder + "/std/" + number);
    }
    if (!written) {
      return written;
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER\n");
    return 2;
  }
  const auto made = make_corpus(argv[1]);
  if (!made) {
    std::fprintf(stderr, "make_corpus: %s\n", made.error().message.c_str());
    return 3;
  }
  return 0;
}
