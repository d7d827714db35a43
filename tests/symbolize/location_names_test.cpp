#include "symbolize/location_names.h"

#include <pthread.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using trace::EventKind;
using trace::ObjectKind;
using trace::ObjectRecord;

// An Account of 16 bytes with a balance at +8, one of 64 bytes with a mutex, and local variables.
const std::vector<NamedPart> kNames = {
    {.name = "number", .owner = "Account", .owner_size = 16, .offset = 0, .size = 4},
    {.name = "balance", .owner = "Account", .owner_size = 16, .offset = 8, .size = 8},
    {.name = "history", .owner = "Log", .owner_size = 48, .offset = 8, .size = 4, .count = 10},
    {.name = "mutex",
     .owner = "Vault",
     .owner_size = 64,
     .offset = 16,
     .size = sizeof(pthread_mutex_t),
     .is_opaque = true},
    {.name = "amount", .size = 8},
    {.name = "counter", .size = 4},
    {.name = "lock", .size = 16},
};

ObjectRecord heap(uint64_t size) {
  return {.kind = ObjectKind::kHeap, .size = size};
}
const ObjectRecord kStack{.kind = ObjectKind::kStack};

LocationUse use(std::string_view source, uint64_t size, EventKind kind = EventKind::kWrite) {
  return {source, kind, size, &kNames};
}

TEST(LocationNames, MemberOfAHeapObjectByItsPlaceAndItsName) {
  EXPECT_EQ(choose_location_name({use("account->balance += amount;", 8)}, heap(16), 8),
            (LocationName{"balance", "Account", true}));
  EXPECT_EQ(choose_location_name({use("account->balance += amount;", 8)}, heap(16), 0), std::nullopt);
  EXPECT_EQ(choose_location_name({use("account->balance += amount;", 4)}, heap(16), 8), std::nullopt);
  EXPECT_EQ(choose_location_name({use("*target = 1;", 8)}, heap(16), 8), std::nullopt);
}

TEST(LocationNames, MemberInAnArrayOfObjects) {
  EXPECT_EQ(choose_location_name({use("accounts[i].balance = amount;", 8)}, heap(160), 88),
            (LocationName{"balance", "Account", false}));
}

TEST(LocationNames, ElementOfAMember) {
  EXPECT_EQ(choose_location_name({use("log->history[i] = 1;", 4)}, heap(48), 16),
            (LocationName{"history[2]", "Log", true}));
}

TEST(LocationNames, EmbeddedMemberNeedsMoreThanOneLineThatSpeaksForIt) {
  // An Account behind 8 bytes of something else: the size of the object tells nothing.
  const LocationUse write = use("account->balance = amount;", 8);
  EXPECT_EQ(choose_location_name({write}, heap(24), 16), std::nullopt) << "`amount` could be meant";
  EXPECT_EQ(choose_location_name({write, use("return balance;", 8)}, heap(24), 16),
            (LocationName{"balance", "Account", false}));
  EXPECT_EQ(choose_location_name({use("++account->balance;", 8)}, heap(24), 16),
            (LocationName{"balance", "Account", false}));
}

TEST(LocationNames, VariableOnAStackThatTwoLinesAgreeOn) {
  EXPECT_EQ(choose_location_name({use("++counter;", 4)}, kStack, 100), (LocationName{"counter", "", false}));
  EXPECT_EQ(choose_location_name({use("*result = balance;", 8), use("amount = 0;", 8)}, kStack, 100),
            std::nullopt)
      << "the lines disagree";
}

TEST(LocationNames, LockByItsSize) {
  EXPECT_EQ(
      choose_location_name({use("std::unique_lock lock(vault.mutex);", 0, EventKind::kLock)}, kStack, 100),
      (LocationName{"mutex", "Vault", false}));
  EXPECT_EQ(
      choose_location_name({use("std::unique_lock lock(vault.mutex);", 0, EventKind::kLock)}, heap(64), 16),
      (LocationName{"mutex", "Vault", true}));
  EXPECT_EQ(choose_location_name({use("vault.mutex.wait(lock);", 0, EventKind::kCondWait)}, kStack, 100),
            std::nullopt);
}

TEST(LocationNames, CommentsAndLiteralsNameNothing) {
  EXPECT_EQ(choose_location_name({use("*p = f(\"counter\"); // counter", 4)}, kStack, 100), std::nullopt);
  EXPECT_EQ(choose_location_name({use("counter += 1'000;", 4)}, kStack, 100),
            (LocationName{"counter", "", false}));
}

TEST(LocationNames, NothingIsKnownWithoutLines) {
  EXPECT_EQ(choose_location_name({}, heap(16), 8), std::nullopt);
}

}  // namespace
}  // namespace heddle
