// heddle/outcome.h: texts of what calls give.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <heddle/outcome.h>

struct Bounds {
  int low = 1;
  std::string name = "x";
};

template <>
struct heddle::TextOf<Bounds> {
  static std::string text(const Bounds& value) {
    return heddle::text_of_fields("low", value.low, "name", value.name);
  }
};

namespace {

using heddle::text_of;

struct Opaque {
  int number = 1;
};
struct Printed {
  int number = 1;
  friend std::ostream& operator<<(std::ostream& out, const Printed& printed) {
    return out << "number " << printed.number;
  }
};
struct TurnsIntoPointer {
  operator const void*() const { return this; }
};
struct Immovable {
  Immovable() = default;
  Immovable(Immovable&&) = delete;
};
enum class Colour : unsigned char { kRed = 3 };
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(Outcome, OfNumbersCharactersAndEnumerators) {
  EXPECT_EQ(text_of(-3), "-3");
  EXPECT_EQ(text_of(std::uint64_t{18446744073709551615u}), "18446744073709551615");
  EXPECT_EQ(text_of(std::uint8_t{65}), "65");
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of('a'), "'a'");
  EXPECT_EQ(text_of('\n'), "'\\n'");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(1.0 / 3) == text_of(std::nextafter(1.0 / 3, 1)), false);
  EXPECT_EQ(text_of(Colour::kRed), "3");
  EXPECT_EQ(text_of(std::atomic<int>(5)), "5");
}

TEST(Outcome, OfStringsIsQuotedEscapedAndCut) {
  EXPECT_EQ(text_of(std::string("a\"b\\\n\x01")), "\"a\\\"b\\\\\\n\\x01\"");
  EXPECT_EQ(text_of(std::string_view("view")), "\"view\"");
  EXPECT_EQ(text_of("literal"), "\"literal\"");
  const char* none = nullptr;
  EXPECT_EQ(text_of(none), "null");
  const std::string cut = text_of(std::string(5000, 'x'));
  EXPECT_LT(cut.size(), 300u);
  EXPECT_NE(cut.find("5000 characters"), std::string::npos) << cut;
}

TEST(Outcome, OfContainers) {
  EXPECT_EQ(text_of(std::vector<int>{1, 2}), "{1, 2}");
  EXPECT_EQ(text_of(std::vector<bool>{true, false}), "{true, false}");
  EXPECT_EQ(text_of(std::array<int, 2>{1, 2}), "{1, 2}");
  EXPECT_EQ(text_of(std::map<int, std::string>{{1, "a"}}), "{(1, \"a\")}");
  // Equal whatever order the hashes give.
  std::unordered_set<std::string> forwards;
  std::unordered_set<std::string> backwards(1000);
  for (int i = 0; i < 20; ++i) forwards.insert(std::to_string(i));
  for (int i = 20; i-- > 0;) backwards.insert(std::to_string(i));
  EXPECT_EQ(text_of(forwards), text_of(backwards));
  const std::string cut = text_of(std::vector<int>(1000));
  EXPECT_LT(cut.size(), 300u);
  EXPECT_NE(cut.find("1000 in all"), std::string::npos) << cut;
}

TEST(Outcome, OfHoldersOfValues) {
  EXPECT_EQ(text_of(std::make_pair(1, std::string("x"))), "(1, \"x\")");
  EXPECT_EQ(text_of(std::make_tuple(1, 'c')), "(1, 'c')");
  EXPECT_EQ(text_of(std::optional<int>()), "none");
  EXPECT_EQ(text_of(std::optional<int>(2)), "2");
  EXPECT_EQ(text_of(std::variant<int, std::string>("x")), "1: \"x\"");
  EXPECT_EQ(text_of(std::chrono::milliseconds(5)), "5 ms");
  EXPECT_EQ(text_of(std::chrono::duration<int, std::ratio<7, 2>>(5)), "5*7/2 s");
  EXPECT_EQ(text_of(std::chrono::system_clock::time_point()), "a time");
  EXPECT_EQ(text_of(Printed{}), "number 1");
  EXPECT_EQ(text_of(Bounds{}), "{low: 1, name: \"x\"}");
  EXPECT_EQ(text_of(std::make_unique<Bounds>()), "-> {low: 1, name: \"x\"}");
  EXPECT_EQ(text_of(std::vector<Bounds>(2)), "{{low: 1, name: \"x\"}, {low: 1, name: \"x\"}}");
  EXPECT_EQ(text_of(std::filesystem::path("/a")), "\"/a\"");
}

TEST(Outcome, NeverHasAnAddress) {
  int number = 1;
  EXPECT_EQ(text_of(&number), "non-null");
  EXPECT_EQ(text_of(static_cast<void*>(nullptr)), "null");
  EXPECT_EQ(text_of(nullptr), "null");
  EXPECT_EQ(text_of(std::make_unique<int>(4)), "-> 4");
  EXPECT_EQ(text_of(std::make_shared<Opaque>()), "non-null");
  EXPECT_EQ(text_of(std::shared_ptr<Opaque>()), "null");
  EXPECT_EQ(text_of(std::make_unique<int[]>(2)), "non-null");
  EXPECT_EQ(text_of(std::weak_ptr<int>()), "expired");
  EXPECT_EQ(text_of(std::function<void()>()), "null");
  EXPECT_EQ(text_of(std::vector<int>{1}.begin()), "iterator");
  EXPECT_EQ(text_of(std::unordered_map<int, int>{{1, 1}}.begin()), "iterator");
  EXPECT_EQ(text_of(std::this_thread::get_id()), "thread id");
  EXPECT_EQ(text_of(TurnsIntoPointer{}), "non-null");
  EXPECT_EQ(text_of(Opaque{}), "object");
  EXPECT_EQ(text_of(std::ref(number)), "1");
}

TEST(Outcome, OfCalls) {
  int number = 1;
  const auto increment = [&]() -> int& { return ++number; };
  const auto fail = [](int code) {
    if (code == 0) throw Refused("not today");
    throw code;
  };
  EXPECT_EQ(HEDDLE_OUTCOME(increment()), "2");
  EXPECT_EQ(HEDDLE_OUTCOME(static_cast<void>(increment())), "done");
  EXPECT_EQ(HEDDLE_OUTCOME(std::make_pair<int, int>(1, 2)), "(1, 2)");  // with a comma of its own
  EXPECT_EQ(HEDDLE_OUTCOME(Immovable()), "object");
  EXPECT_EQ(HEDDLE_OUTCOME(std::make_unique<int>(1)), "-> 1");
  EXPECT_EQ(HEDDLE_OUTCOME(fail(0)), "threw (anonymous namespace)::Refused: not today");
  EXPECT_EQ(HEDDLE_OUTCOME(std::string().at(1)).find("threw std::out_of_range: "), 0u);
  EXPECT_EQ(HEDDLE_OUTCOME(fail(5)), "threw int: 5");
}

// Tells when somebody reads it.
struct Watched {
  int* reads;
  friend std::ostream& operator<<(std::ostream& out, const Watched& watched) {
    ++*watched.reads;
    return out;
  }
};

TEST(Outcome, LookingAtValuesReadsThem) {
  int reads = 0;
  heddle::look_at(Watched{&reads}, 1, Watched{&reads});
  EXPECT_EQ(reads, 2);
}

TEST(Outcome, IsOneOfTheOrders) {
  const std::vector<std::vector<std::string>> orders = {{"1", "2"}, {"2", "1"}};
  EXPECT_PRED2(heddle::is_one_of, (std::vector<std::string>{"2", "1"}), orders);
  EXPECT_FALSE(heddle::is_one_of({"1", "1"}, orders));
}

}  // namespace
