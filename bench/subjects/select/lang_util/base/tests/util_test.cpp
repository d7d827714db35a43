// One thread: everything but ranges.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "builder_pool.h"
#include "event_counter.h"
#include "interner.h"
#include "lazy.h"
#include "memoiser.h"
#include "stop_watch.h"
#include "support.h"

namespace lang {
namespace {

TEST(Lazy, MakesTheValueOnce) {
  int made = 0;
  const Lazy<std::string> lazy([&] { return "value " + std::to_string(++made); });
  EXPECT_FALSE(lazy.is_made());
  EXPECT_EQ(lazy.get(), "value 1");
  EXPECT_EQ(lazy.get(), "value 1");
  EXPECT_TRUE(lazy.is_made());
}

TEST(Lazy, TriesAgainAfterAnException) {
  int tries = 0;
  const Lazy<int> lazy([&]() -> int {
    if (++tries == 1) throw std::runtime_error("not yet");
    return tries;
  });
  EXPECT_THROW(lazy.get(), std::runtime_error);
  EXPECT_EQ(lazy.get(), 2);
}

TEST(Memoiser, ComputesOncePerArgument) {
  int computed = 0;
  Memoiser<int, int> square([&](int number) {
    ++computed;
    return number * number;
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(square(i % 4), (i % 4) * (i % 4));
  EXPECT_EQ(computed, 4);
  EXPECT_EQ(square.hits(), 16U);
  square.forget(1);
  EXPECT_EQ(square.size(), 3U);
}

TEST(Memoiser, ForgetsErrorsIfAsked) {
  int tries = 0;
  const auto fail = [&](int) -> int {
    ++tries;
    throw std::runtime_error("no");
  };
  Memoiser<int, int> forgetting(fail, true);
  EXPECT_THROW(forgetting(1), std::runtime_error);
  EXPECT_THROW(forgetting(1), std::runtime_error);
  EXPECT_EQ(tries, 2);
  Memoiser<int, int> remembering(fail, false);
  EXPECT_THROW(remembering(1), std::runtime_error);
  EXPECT_THROW(remembering(1), std::runtime_error);
  EXPECT_EQ(tries, 3);
}

TEST(StopWatch, RefusesWhatItsStateDoesNotAllow) {
  StopWatch watch([] { return 0; });
  EXPECT_THROW(watch.stop(), std::logic_error);
  EXPECT_THROW(watch.split(), std::logic_error);
  watch.start();
  EXPECT_THROW(watch.start(), std::logic_error);
  EXPECT_THROW(watch.resume(), std::logic_error);
}

TEST(StopWatch, DoesNotCountWhileSuspended) {
  StopWatch::Ticks now = 0;
  StopWatch watch([&] { return now; });
  watch.start();
  now += 10;
  EXPECT_EQ(watch.split(), 10);
  watch.suspend();
  now += 100;
  watch.resume();
  now += 5;
  EXPECT_EQ(watch.elapsed(), 15);
  watch.stop();
  now += 1000;
  EXPECT_EQ(watch.elapsed(), 15);
  EXPECT_EQ(watch.splits(), std::vector<StopWatch::Ticks>{10});
  watch.reset();
  EXPECT_EQ(watch.elapsed(), 0);
}

class Times : public testing::TestWithParam<std::tuple<StopWatch::Ticks, const char*>> {};

TEST_P(Times, AreWrittenAsHoursMinutesSeconds) {
  StopWatch::Ticks now = 0;
  StopWatch watch([&] { return now; });
  watch.start();
  now += std::get<0>(GetParam());
  EXPECT_EQ(watch.to_string(), std::get<1>(GetParam()));
  EXPECT_TRUE(watch.is_running());
}

INSTANTIATE_TEST_SUITE_P(All, Times,
                         testing::Values(std::tuple(0, "0:00:00.000"), std::tuple(999, "0:00:00.999"),
                                         std::tuple(90'250, "0:01:30.250"),
                                         std::tuple(3'600'000, "1:00:00.000"),
                                         std::tuple(86'399'999, "23:59:59.999")));

// A breaker that opens with more than `opening` events and closes below `closing`.
class Breaker : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  EventCounter::Ticks now_ = 0;
  std::size_t opening_ = static_cast<std::size_t>(std::get<0>(GetParam()));
  std::size_t closing_ = static_cast<std::size_t>(std::get<1>(GetParam()));
  EventCounter counter_{{opening_, closing_, 100}, [this] { return now_; }};
};

TEST_P(Breaker, OpensWithTooManyEvents) {
  for (std::size_t i = 0; i < opening_; ++i) EXPECT_TRUE(counter_.add());
  EXPECT_FALSE(counter_.add());
  EXPECT_FALSE(counter_.is_closed());
  EXPECT_EQ(counter_.trips(), 1U);
}

TEST_P(Breaker, ClosesAfterAQuietInterval) {
  counter_.add(opening_ + 1);
  now_ += 100;
  EXPECT_FALSE(counter_.is_closed());
  now_ += 100;
  EXPECT_TRUE(counter_.is_closed());
}

TEST_P(Breaker, StaysOpenWhileThereAreEvents) {
  counter_.add(opening_ + 1);
  for (int i = 0; i < 3; ++i) {
    now_ += 100;
    EXPECT_FALSE(counter_.add(closing_));
  }
}

TEST_P(Breaker, CountsByInterval) {
  counter_.add(1);
  now_ += 100;
  counter_.add(1);
  EXPECT_EQ(counter_.in_interval(), 1U);
  EXPECT_EQ(counter_.total(), 2U);
}

TEST_P(Breaker, CanBeMovedByHand) {
  counter_.open();
  EXPECT_FALSE(counter_.is_closed());
  counter_.close();
  EXPECT_TRUE(counter_.is_closed());
}

INSTANTIATE_TEST_SUITE_P(Limits, Breaker, testing::Combine(testing::Values(2, 5, 20), testing::Values(1, 2)),
                         [](const auto& info) {
                           return "Open" + std::to_string(std::get<0>(info.param)) + "Close" +
                                  std::to_string(std::get<1>(info.param));
                         });

class Interning : public testing::TestWithParam<int> {};

TEST_P(Interning, KeepsOneCopyOfEach) {
  Interner interner;
  std::vector<Interner::Interned> all;
  for (int i = 0; i < 3 * GetParam(); ++i)
    all.push_back(interner.intern("name " + std::to_string(i % GetParam())));
  EXPECT_EQ(interner.size(), static_cast<std::size_t>(GetParam()));
  EXPECT_EQ(interner.hits(), static_cast<std::size_t>(2 * GetParam()));
  EXPECT_EQ(all[0], all[GetParam()]);
  EXPECT_EQ(interner.find("name 0"), all[0]);
  EXPECT_EQ(interner.find("other"), nullptr);
}

TEST_P(Interning, CollectForgetsWhatNobodyHas) {
  Interner interner;
  const auto kept = interner.intern("kept");
  for (int i = 0; i < GetParam(); ++i) interner.intern("lost " + std::to_string(i));
  EXPECT_EQ(interner.collect(), static_cast<std::size_t>(GetParam()));
  EXPECT_EQ(interner.find("kept"), kept);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Interning, testing::Values(1, 2, 5, 17, 60));

class Builders : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Builders, AreUsedAgain) {
  const auto [limit, loans] = GetParam();
  BuilderPool pool(limit);
  for (int i = 0; i < loans; ++i) {
    BuilderPool::Loan one(pool);
    BuilderPool::Loan other(pool);
    EXPECT_EQ(one->size(), 0U);
    one->append("text ").append(i);
    other->append_padded(std::to_string(i), 5, '0');
    EXPECT_EQ(other->size(), 5U);
  }
  EXPECT_EQ(pool.loans(), 2U * loans);
  EXPECT_LE(pool.unused(), static_cast<std::size_t>(limit));
  EXPECT_GE(pool.made(), 2U);
}

TEST_P(Builders, JoinAndReverse) {
  const auto [first, second] = GetParam();
  BuilderPool pool;
  BuilderPool::Loan builder(pool);
  builder->append_separator(", ").append_joined({std::to_string(first), std::to_string(second)}, ",");
  EXPECT_EQ(builder->text(), std::to_string(first) + "," + std::to_string(second));
  const std::string before = builder->text();
  EXPECT_EQ(builder->reverse().reverse().text(), before);
}

INSTANTIATE_TEST_SUITE_P(Pools, Builders,
                         testing::Combine(testing::Values(0, 1, 2, 8), testing::Values(1, 3, 10)),
                         [](const auto& info) {
                           return "Limit" + std::to_string(std::get<0>(info.param)) + "Loans" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(BuilderPool, KeepsNoLargeBuilder) {
  BuilderPool pool(4, 100);
  {
    BuilderPool::Loan(pool)->append(std::string(1000, 'x'));
  }
  EXPECT_EQ(pool.unused(), 0U);
}

}  // namespace
}  // namespace lang
