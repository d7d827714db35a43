#include "memory_transport.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

std::string read_all(Connection& connection, std::size_t piece) {
  std::string text;
  std::string buffer(piece, '\0');
  while (const std::size_t count = connection.read(buffer.data(), buffer.size()))
    text.append(buffer, 0, count);
  return text;
}

class PipeSizes : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(PipeSizes, CarryAllBytesInOrder) {
  const auto [capacity, bytes, piece] = GetParam();
  auto forth = std::make_shared<MemoryPipe>(capacity);
  auto back = std::make_shared<MemoryPipe>(capacity);
  MemoryConnection left(back, forth, "right");
  MemoryConnection right(forth, back, "left");
  std::string sent;
  for (int i = 0; i < bytes; ++i) sent += static_cast<char>('a' + i % 26);
  std::string received;
  run_threads(2, [&, piece = piece](int thread) {
    if (thread == 0) {
      EXPECT_TRUE(left.write(sent));
      left.close();
    } else {
      received = read_all(right, piece);
    }
  });
  EXPECT_EQ(received, sent);
}

INSTANTIATE_TEST_SUITE_P(Grid, PipeSizes,
                         testing::Combine(testing::Values(1, 16, 1024), testing::Values(0, 1, 100),
                                          testing::Values(1, 64)));

TEST(MemoryPipe, WritingFailsWhenNobodyReads) {
  MemoryPipe pipe(4);
  EXPECT_TRUE(pipe.write("abc"));
  EXPECT_EQ(pipe.pending(), 3U);
  pipe.close_reading();
  EXPECT_FALSE(pipe.write("d"));
  EXPECT_EQ(pipe.pending(), 0U);
}

TEST(MemoryListener, RefusesBeyondItsBacklogAndWhenClosed) {
  MemoryListener listener(1);
  const auto first = listener.connect("a");
  ASSERT_TRUE(first);
  EXPECT_FALSE(listener.connect("b"));
  EXPECT_EQ(listener.accept()->peer(), "a");
  EXPECT_TRUE(listener.connect("c"));
  listener.close();
  EXPECT_FALSE(listener.connect("d"));
  EXPECT_FALSE(listener.accept());
}

class ListenerClients : public testing::TestWithParam<int> {};

TEST_P(ListenerClients, AreAllAccepted) {
  MemoryListener listener;
  std::vector<std::string> answers(GetParam());
  run_threads(GetParam() + 1, [&](int thread) {
    if (thread == GetParam()) {
      for (int i = 0; i < GetParam(); ++i) {
        const auto connection = listener.accept();
        connection->write("hello " + connection->peer());
        connection->close();
      }
    } else {
      const auto connection = listener.connect(std::to_string(thread));
      answers[thread] = read_all(*connection, 16);
    }
  });
  for (int i = 0; i < GetParam(); ++i) EXPECT_EQ(answers[i], "hello " + std::to_string(i));
}

TEST_P(ListenerClients, EndWhenTheListenerCloses) {
  MemoryListener listener;
  std::vector<int> ended(GetParam());
  run_threads(GetParam() + 1, [&](int thread) {
    if (thread == GetParam()) return listener.close();
    if (const auto connection = listener.connect("x")) read_all(*connection, 16);
    ended[thread] = 1;
  });
  EXPECT_EQ(ended, std::vector<int>(GetParam(), 1));
}

INSTANTIATE_TEST_SUITE_P(Threads, ListenerClients, testing::Values(1, 3, 8));

}  // namespace
}  // namespace web
