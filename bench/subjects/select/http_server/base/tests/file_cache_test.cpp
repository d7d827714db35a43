#include "file_cache.h"

#include <gtest/gtest.h>

#include <atomic>

#include "threads.h"

namespace web {
namespace {

/// Files /0 to /15, each of `size` bytes; counts how often it was asked.
class CountingSource : public FileSource {
 public:
  explicit CountingSource(std::size_t size) : size_(size) {}

  std::optional<File> load(const std::string& path) override {
    ++loads_;
    if (path.size() < 2 || path.size() > 3) return std::nullopt;
    return File{std::string(size_, path[1]), 1000};
  }
  int loads() const { return loads_; }

 private:
  const std::size_t size_;
  std::atomic<int> loads_{0};
};

std::string path_of(int index) {
  return "/" + std::to_string(index);
}

class CacheCapacity : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(CacheCapacity, HoldsWhatFitsAndEvictsTheRest) {
  const auto [files, fitting] = GetParam();
  CountingSource source(10);
  FileCache cache(source, fitting * 10);
  for (int i = 0; i < files; ++i) ASSERT_TRUE(cache.get_or_load(path_of(i)));
  const FileCache::Stats stats = cache.stats();
  EXPECT_EQ(stats.files, static_cast<std::size_t>(std::min(files, fitting)));
  EXPECT_EQ(stats.bytes, stats.files * 10);
  EXPECT_EQ(stats.evictions, static_cast<std::uint64_t>(fitting == 0 ? 0 : files - stats.files));
  for (int i = 0; i < files; ++i) EXPECT_EQ(cache.contains(path_of(i)), i >= files - fitting);
}

INSTANTIATE_TEST_SUITE_P(Grid, CacheCapacity,
                         testing::Combine(testing::Values(1, 2, 4, 8), testing::Values(0, 1, 3, 8)));

TEST(FileCache, UseKeepsAFile) {
  CountingSource source(10);
  FileCache cache(source, 20);
  cache.get_or_load("/1");
  cache.get_or_load("/2");
  EXPECT_TRUE(cache.get("/1"));
  cache.get_or_load("/3");
  EXPECT_TRUE(cache.contains("/1"));
  EXPECT_FALSE(cache.contains("/2"));
}

TEST(FileCache, RemembersWhatIsMissing) {
  CountingSource source(10);
  FileCache cache(source, 100);
  EXPECT_FALSE(cache.get_or_load("/none"));
  EXPECT_FALSE(cache.get_or_load("/none"));
  EXPECT_EQ(source.loads(), 1);
  EXPECT_TRUE(cache.invalidate("/none"));
  EXPECT_FALSE(cache.get_or_load("/none"));
  EXPECT_EQ(source.loads(), 2);
}

TEST(FileCache, PutReplaces) {
  CountingSource source(10);
  FileCache cache(source, 100);
  EXPECT_TRUE(cache.put("/a.txt", {"one", 1}));
  EXPECT_TRUE(cache.put("/a.txt", {"three", 3}));
  EXPECT_FALSE(cache.put("/large", {std::string(101, 'x'), 1}));
  const auto file = cache.get("/a.txt");
  ASSERT_TRUE(file);
  EXPECT_EQ(*file->content, "three");
  EXPECT_EQ(file->modified, 3);
  EXPECT_EQ(cache.stats().bytes, 5U);
}

TEST(FileCache, InvalidatesBelowAFolder) {
  CountingSource source(10);
  FileCache cache(source, 100);
  for (const char* path : {"/a", "/a/1", "/a/2", "/b/1"}) cache.put(path, {"x", 1});
  EXPECT_EQ(cache.invalidate_below("/a/"), 2U);
  EXPECT_EQ(cache.stats().files, 2U);
  EXPECT_EQ(cache.stats().bytes, 2U);
  cache.clear();
  EXPECT_EQ(cache.stats().files, 0U);
}

TEST(FileCache, TheMostUsedComeFirst) {
  CountingSource source(1);
  FileCache cache(source, 100);
  for (int i = 0; i < 4; ++i) {
    cache.get_or_load(path_of(i));
    for (int use = 0; use < i; ++use) cache.get(path_of(i));
  }
  const auto hottest = cache.hottest(2);
  ASSERT_EQ(hottest.size(), 2U);
  EXPECT_EQ(hottest[0].path, "/3");
  EXPECT_EQ(hottest[0].uses, 3U);
}

struct TypeCase {
  const char* path;
  const char* type;
};

class ContentType : public testing::TestWithParam<TypeCase> {};

TEST_P(ContentType, ComesFromTheEnding) {
  EXPECT_EQ(content_type_of(GetParam().path), GetParam().type);
}

INSTANTIATE_TEST_SUITE_P(Table, ContentType,
                         testing::Values(TypeCase{"/index.html", "text/html; charset=utf-8"},
                                         TypeCase{"/a.css", "text/css; charset=utf-8"},
                                         TypeCase{"/a.min.js", "text/javascript"},
                                         TypeCase{"/a.json", "application/json"},
                                         TypeCase{"/a", "application/octet-stream"},
                                         TypeCase{"html", "application/octet-stream"}));

class CacheLoaders : public testing::TestWithParam<int> {};

TEST_P(CacheLoaders, ShareOneLoad) {
  CountingSource source(10);
  FileCache cache(source, 100);
  std::vector<FileCache::FilePtr> files(GetParam());
  run_threads(GetParam(), [&](int thread) { files[thread] = cache.get_or_load("/1"); });
  for (const auto& file : files) EXPECT_EQ(file, files[0]);
  EXPECT_EQ(source.loads(), 1);
}

TEST_P(CacheLoaders, FallToOneMissingFile) {
  CountingSource source(10);
  FileCache cache(source, 100);
  std::vector<FileCache::FilePtr> files(GetParam());
  run_threads(GetParam(), [&](int thread) { files[thread] = cache.get_or_load("/none"); });
  for (const auto& file : files) EXPECT_FALSE(file);
  EXPECT_EQ(source.loads(), 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, CacheLoaders, testing::Values(2, 4, 8, 16));

enum class Operation { kGet, kLoad, kPut, kInvalidate, kStats, kHottest, kContains };
constexpr const char* kNames[] = {"Get", "Load", "Put", "Invalidate", "Stats", "Hottest", "Contains"};

class CachePairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(CachePairs, WorkTogether) {
  constexpr int kRounds = 16;
  constexpr int kFiles = 4;
  CountingSource source(10);
  FileCache cache(source, 1000);
  for (int i = 0; i < kFiles; ++i) cache.get_or_load(path_of(i));
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string path = path_of(i % kFiles);
      switch (GetParam().of(thread)) {
        case Operation::kGet: {
          const auto file = cache.get(path);
          good[thread] += !file || file->content->size() == 10;
          break;
        }
        case Operation::kLoad: {
          const auto file = cache.get_or_load(path);
          good[thread] += file && file->content->size() == 10;
          break;
        }
        case Operation::kPut:
          good[thread] += cache.put(path, {std::string(10, 'p'), i});
          break;
        case Operation::kInvalidate:
          cache.invalidate(path);
          ++good[thread];
          break;
        case Operation::kStats:
          good[thread] += cache.stats().bytes <= kFiles * 10;
          break;
        case Operation::kHottest:
          good[thread] += cache.hottest(2).size() <= 2;
          break;
        case Operation::kContains:
          cache.contains(path);
          ++good[thread];
          break;
      }
    }
  });
  for (const int count : good) EXPECT_EQ(count, kRounds);
  EXPECT_EQ(cache.stats().bytes, cache.stats().files * 10);
}

INSTANTIATE_TEST_SUITE_P(All, CachePairs, testing::ValuesIn(all_pairs<Operation>(7, {2, 6})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
