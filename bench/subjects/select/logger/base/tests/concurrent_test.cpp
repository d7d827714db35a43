// Several threads log, change settings and look at handlers.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>

#include "async_handler.h"
#include "logger.h"
#include "rotating_handler.h"
#include "support.h"

namespace logging {
namespace {

Record record(const std::string& message, Level level = Level::kInfo) {
  return {level, "test", message, 1};
}

std::unique_ptr<Sink> memory_sink(std::uint64_t) {
  return std::make_unique<MemorySink>();
}

class Shared : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  std::uint64_t all() const {
    return static_cast<std::uint64_t>(threads_) * static_cast<std::uint64_t>(rounds_);
  }

  int threads_ = std::get<0>(GetParam());
  int rounds_ = std::get<1>(GetParam());
};

TEST_P(Shared, EveryMessageIsCounted) {
  LoggerRegistry registry;
  const auto counter = std::make_shared<CountingHandler>();
  registry.root().add_handler(counter);
  run_threads(threads_, [&](int index) {
    Logger& logger = registry.get("part" + std::to_string(index % 3));
    for (int i = 0; i < rounds_; ++i) logger.info("text");
  });
  EXPECT_EQ(counter->total(), all());
  EXPECT_EQ(registry.messages(), all());
}

TEST_P(Shared, ThreadsGetTheSameLogger) {
  LoggerRegistry registry;
  std::vector<Logger*> loggers(threads_);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) loggers[index] = &registry.get("a.b" + std::to_string(i));
  });
  for (const Logger* logger : loggers) EXPECT_EQ(logger, loggers[0]);
  EXPECT_EQ(registry.size(), static_cast<std::size_t>(rounds_) + 2);
}

TEST_P(Shared, LevelsChangeMeanwhile) {
  LoggerRegistry registry;
  const auto counter = std::make_shared<CountingHandler>();
  registry.root().add_handler(counter);
  run_threads(threads_, [&](int index) {
    Logger& logger = registry.get("a.b");
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        registry.get("a").set_level(i % 2 == 0 ? Level::kDebug : Level::kError);
      } else {
        logger.debug("text");
        logger.error("text");
      }
    }
  });
  EXPECT_EQ(counter->count(Level::kError), all() - rounds_);
  EXPECT_LE(counter->count(Level::kDebug), all());
}

TEST_P(Shared, LevelsAreReadMeanwhile) {
  LoggerRegistry registry;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index % 2 == 0) {
        registry.get("a.b").set_level(Level::kTrace);
      } else {
        EXPECT_TRUE(registry.get("a.b").is_enabled(Level::kError));
      }
    }
  });
  EXPECT_EQ(registry.get("a.b.c").effective_level(), Level::kTrace);
}

TEST_P(Shared, HandlersComeAndGo) {
  LoggerRegistry registry;
  const auto counter = std::make_shared<CountingHandler>();
  run_threads(threads_, [&](int index) {
    Logger& logger = registry.get("a");
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        logger.add_handler(counter);
        EXPECT_TRUE(logger.remove_handler(counter));
      } else {
        logger.info("text");
      }
    }
  });
  EXPECT_LE(counter->total(), all());
  EXPECT_EQ(registry.get("a").handler_count(), 0U);
}

TEST_P(Shared, SettingsAreReadMeanwhile) {
  LoggerRegistry registry;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        registry.configure("a = debug\na.b = error\n");
      } else {
        registry.get("a.b").info("text");
        EXPECT_GE(registry.names().size(), 1U);
      }
    }
  });
  EXPECT_EQ(registry.get("a").level(), Level::kDebug);
}

TEST_P(Shared, MemoryKeepsItsLimit) {
  MemoryHandler handler(5);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      handler.handle(record(std::to_string(index)));
      EXPECT_LE(handler.lines().size(), 5U);
    }
  });
  EXPECT_EQ(handler.handled(), all());
}

TEST_P(Shared, MemoryIsClearedMeanwhile) {
  MemoryHandler handler(100);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        handler.clear();
      } else {
        handler.handle(record("text"));
      }
    }
  });
  EXPECT_LE(handler.size(), 100U);
}

TEST_P(Shared, ThresholdChangesMeanwhile) {
  CountingHandler handler;
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i) {
      if (index == 0) {
        handler.set_threshold(i % 2 == 0 ? Level::kOff : Level::kAll);
      } else {
        handler.handle(record("text"));
      }
    }
  });
  EXPECT_EQ(handler.total() + handler.filtered(), handler.handled());
}

TEST_P(Shared, HistoryIsPassedOnOnce) {
  const auto target = std::make_shared<CountingHandler>();
  TriggeringHandler handler(target, Level::kError, 1000);
  run_threads(threads_, [&](int index) {
    for (int i = 0; i < rounds_; ++i)
      handler.handle(record("text", (index + i) % 4 == 0 ? Level::kError : Level::kInfo));
  });
  handler.flush();
  EXPECT_EQ(target->total(), all());
}

TEST_P(Shared, QueueLosesNothingWhileThreadsWait) {
  const auto target = std::make_shared<CountingHandler>();
  {
    AsyncHandler handler(target, 3, AsyncHandler::Overflow::kWait);
    run_threads(threads_, [&](int) {
      for (int i = 0; i < rounds_; ++i) handler.handle(record("text"));
    });
    handler.flush();
    EXPECT_EQ(handler.dropped(), 0U);
  }
  EXPECT_EQ(target->total(), all());
}

TEST_P(Shared, QueueIsClosedMeanwhile) {
  const auto target = std::make_shared<CountingHandler>();
  AsyncHandler handler(target, 2, AsyncHandler::Overflow::kWait);
  run_threads(threads_, [&](int index) {
    if (index == 0) {
      handler.close();
    } else {
      for (int i = 0; i < rounds_; ++i) handler.handle(record("text"));
    }
  });
  EXPECT_EQ(target->total() + handler.dropped(), all() - rounds_);
}

INSTANTIATE_TEST_SUITE_P(Threads, Shared,
                         testing::Combine(testing::Values(2, 3, 5, 8, 16), testing::Values(2, 5)),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "Threads" +
                                  std::to_string(std::get<1>(info.param)) + "Rounds";
                         });

class Crowd : public testing::TestWithParam<int> {};

TEST_P(Crowd, QueueCountsWhatItLoses) {
  const auto target = std::make_shared<CountingHandler>();
  AsyncHandler handler(target, 2, AsyncHandler::Overflow::kDrop);
  run_threads(GetParam(), [&](int) {
    for (int i = 0; i < 4; ++i) handler.handle(record("text"));
  });
  handler.close();
  EXPECT_EQ(target->total() + handler.dropped(), GetParam() * 4U);
}

TEST_P(Crowd, FullQueueIsReadMeanwhile) {
  const auto target = std::make_shared<CountingHandler>();
  AsyncHandler handler(target, 1, AsyncHandler::Overflow::kDrop);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 3; ++i) {
      if (index == 0) {
        EXPECT_LE(handler.pending(), 1U);
      } else {
        handler.handle(record("text"));
      }
    }
  });
}

TEST_P(Crowd, EveryByteIsWritten) {
  RotatingHandler handler(memory_sink, 30, 100, Formatter("%10m"));
  run_threads(GetParam(), [&](int) {
    for (int i = 0; i < 4; ++i) handler.handle(record("text"));
  });
  EXPECT_EQ(handler.total_size(), GetParam() * 40U);
}

TEST_P(Crowd, SinksChangeMeanwhile) {
  RotatingHandler handler(memory_sink, 25, 2, Formatter("%10m"));
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 3; ++i) {
      if (index == 0) {
        handler.rotate();
      } else {
        handler.handle(record("text"));
        EXPECT_LE(handler.current_size(), 30U);
      }
    }
  });
  EXPECT_GE(handler.rotations(), 3U);
}

TEST_P(Crowd, TreeOfLoggersWritesToOneSink) {
  LoggerRegistry registry;
  const auto target = std::make_shared<MemoryHandler>(1000, Formatter("%n"));
  registry.get("a").add_handler(target);
  run_threads(GetParam(), [&](int index) {
    Logger& logger = registry.get(index % 2 == 0 ? "a.b" : "c.d");
    for (int i = 0; i < 4; ++i) logger.warning("text");
  });
  EXPECT_EQ(target->size(), (GetParam() + 1) / 2 * 4U);
  registry.flush();
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, testing::Values(2, 3, 4, 6, 9, 12, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace logging
