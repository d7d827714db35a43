// Several threads share each of the utilities, in several numbers and with several amounts of work.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <string>
#include <tuple>

#include "builder_pool.h"
#include "event_counter.h"
#include "interner.h"
#include "lazy.h"
#include "memoiser.h"
#include "range.h"
#include "stop_watch.h"
#include "support.h"

namespace lang {
namespace {

// A clock for all threads that goes on by one with each look.
class TestClock {
 public:
  std::int64_t operator()() const { return now_->fetch_add(1); }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> now_ = std::make_shared<std::atomic<std::int64_t>>(0);
};

class Shared : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int threads_ = std::get<0>(GetParam());
  int rounds_ = std::get<1>(GetParam());
};

TEST_P(Shared, RangeRelations) {
  const Range left = Range::between(0, 10);
  const Range right = Range::between(5, 20);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      EXPECT_TRUE(left.overlaps(right));
      EXPECT_EQ(left.fit(index + 100), 10);
      EXPECT_EQ(left.intersection(right)->minimum(), 5);
    }
  });
}

TEST_P(Shared, RangesOfTheirOwn) {
  std::vector<std::size_t> hashes(threads_);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) hashes[index] ^= Range::between(i, i + 3).hash();
  });
  for (const auto hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST_P(Shared, MemoiserComputesOnce) {
  std::atomic<int> computed = 0;
  Memoiser<int, int> memoiser([&](int number) {
    computed.fetch_add(1);
    return 2 * number;
  });
  run_threads(threads_, [&](int) {
    for (int i = 0; i < rounds_; ++i) EXPECT_EQ(memoiser(i % 3), 2 * (i % 3));
  });
  EXPECT_EQ(computed.load(), std::min(rounds_, 3));
  EXPECT_EQ(memoiser.hits() + memoiser.misses(), static_cast<std::size_t>(threads_ * rounds_));
}

TEST_P(Shared, MemoiserForgets) {
  Memoiser<int, int> memoiser([](int number) { return number + 1; });
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        memoiser.forget(i % 2);
      } else {
        EXPECT_EQ(memoiser(i % 2), i % 2 + 1);
      }
    }
  });
  EXPECT_LE(memoiser.size(), 2U);
}

TEST_P(Shared, InternerKeepsOneCopy) {
  Interner interner;
  std::vector<Interner::Interned> last(threads_);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) last[index] = interner.intern("name " + std::to_string(i % 4));
  });
  for (const auto& text : last) EXPECT_EQ(text, last[0]);
}

TEST_P(Shared, InternerFindsWhatOthersIntern) {
  Interner interner;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      const std::string text = std::to_string(i);
      if (index % 2 == 0) {
        interner.intern(text);
      } else if (const auto found = interner.find(text)) {
        EXPECT_EQ(*found, text);
      }
    }
  });
}

TEST_P(Shared, InternerIsCountedMeanwhile) {
  Interner interner;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        EXPECT_LE(interner.size(), static_cast<std::size_t>(rounds_));
      } else {
        interner.intern(std::to_string(i));
      }
    }
  });
}

TEST_P(Shared, InternerIsCollectedMeanwhile) {
  Interner interner;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        interner.collect();
      } else {
        EXPECT_EQ(*interner.intern(std::to_string(i)), std::to_string(i));
      }
    }
  });
  interner.collect();
  EXPECT_EQ(interner.size(), 0U);
}

TEST_P(Shared, BuildersBelongToOneThread) {
  BuilderPool pool(3);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      BuilderPool::Loan builder(pool);
      builder->append(index).append("/").append(i);
      EXPECT_EQ(builder->text(), std::to_string(index) + "/" + std::to_string(i));
    }
  });
  EXPECT_EQ(pool.loans(), static_cast<std::size_t>(threads_ * rounds_));
  EXPECT_LE(pool.made(), pool.loans());
}

TEST_P(Shared, PoolIsCountedMeanwhile) {
  BuilderPool pool(2);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        EXPECT_LE(pool.unused(), 2U);
      } else {
        BuilderPool::Loan(pool)->append("x");
      }
    }
  });
}

TEST_P(Shared, WatchIsReadWhileItRuns) {
  StopWatch watch{TestClock()};
  watch.start();
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        watch.split();
      } else {
        EXPECT_GE(watch.elapsed(), 0);
      }
    }
  });
  EXPECT_EQ(watch.splits().size(), static_cast<std::size_t>(rounds_));
}

TEST_P(Shared, WatchIsSuspendedMeanwhile) {
  StopWatch watch{TestClock()};
  watch.start();
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        watch.suspend();
        watch.resume();
      } else {
        watch.is_running();
      }
    }
  });
  EXPECT_TRUE(watch.is_running());
}

TEST_P(Shared, EventsAreAllCounted) {
  EventCounter counter({1000, 1, 10'000}, TestClock());
  run_threads(threads_, [&](int) {
    for (int i = 0; i < rounds_; ++i) EXPECT_TRUE(counter.add());
  });
  EXPECT_EQ(counter.total(), static_cast<std::size_t>(threads_ * rounds_));
}

TEST_P(Shared, BreakerIsAskedMeanwhile) {
  EventCounter counter({3, 2, 5}, TestClock());
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index % 2 == 0) {
        counter.add();
      } else {
        counter.is_closed();
      }
    }
  });
  EXPECT_LE(counter.trips(), counter.total());
}

TEST_P(Shared, BreakerIsMovedByHandMeanwhile) {
  EventCounter counter({100, 50, 1000}, TestClock());
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        counter.open();
        counter.close();
      } else {
        counter.add();
      }
    }
  });
  EXPECT_EQ(counter.trips(), static_cast<std::size_t>(rounds_));
}

INSTANTIATE_TEST_SUITE_P(Threads, Shared,
                         testing::Combine(testing::Values(2, 4, 7, 12, 16), testing::Values(2, 6)),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "Threads" +
                                  std::to_string(std::get<1>(info.param)) + "Rounds";
                         });

// What is computed when it is first asked for, asked for by all at once.
class First : public testing::TestWithParam<int> {};

TEST_P(First, HashOfARange) {
  const Range range = Range::between(3, 9);
  std::vector<std::size_t> seen(GetParam());
  run_threads(GetParam(), [&](int index) { seen[index] = range.hash(); });
  for (const auto hash : seen) EXPECT_EQ(hash, range.hash());
}

TEST_P(First, TextOfARange) {
  const Range range = Range::between(-3, 9);
  std::vector<std::size_t> seen(GetParam());
  run_threads(GetParam(), [&](int index) { seen[index] = range.to_string().size(); });
  for (const auto size : seen) EXPECT_EQ(size, 7U);
}

TEST_P(First, ValueThatIsMadeLater) {
  std::atomic<int> made = 0;
  const Lazy<int> lazy([&] { return 42 + made.fetch_add(1); });
  std::vector<int> seen(GetParam());
  run_threads(GetParam(), [&](int index) { seen[index] = lazy.get(); });
  for (const int value : seen) EXPECT_EQ(value, 42);
}

TEST_P(First, ValueThatOthersWaitFor) {
  const Lazy<std::vector<int>> lazy([] { return std::vector<int>(20, 7); });
  std::vector<int> sums(GetParam());
  run_threads(GetParam(), [&](int index) {
    const auto& values = lazy.get();
    sums[index] = std::accumulate(values.begin(), values.end(), 0);
    EXPECT_TRUE(lazy.is_made());
  });
  for (const int sum : sums) EXPECT_EQ(sum, 140);
}

INSTANTIATE_TEST_SUITE_P(Threads, First, testing::Values(2, 3, 4, 6, 9, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace lang
