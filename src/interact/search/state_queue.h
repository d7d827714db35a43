// StateQueue: which of the open states is next.
//
// States that differ only in the path that led to them are of one *kind*: the same branch, to the same side,
// behind the same sequence of changes and
// the same node of the graph. The cost of a kind says how far it is from where it should come to.
// Always next is a state of the kind with the least cost times what has been spent on it: a near kind gets
// more turns than a far one, in proportion, and none gets all of them, however many states a loop makes of
// it. Of one kind, the newest state and the oldest take turns: paths get longer, and others are not
// forgotten. Now and then any state is next. The many branches inside of a library function that the program
// calls (strtol) get no more turns together than a few kinds do.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <unordered_set>
#include <vector>

#include "interact/flow.h"

namespace heddle::interact {

struct StateKind {
  uint64_t sequence = 0;  // SequenceKey of the changes that the path came through
  uint32_t node = kNone;  // of the graph, that the path came through last
  uint32_t site = 0;
  uint32_t caller = 0;  // as in concolic::Event
  bool side = false;    // where it would go

  friend auto operator<=>(const StateKind&, const StateKind&) = default;
};

struct OpenState {
  uint32_t path = 0;
  uint32_t event = 0;
  uint64_t key = 0;       // of the path up to there and the branch's other side
  uint64_t sequence = 0;  // SequenceKey of the path up to there
  bool is_rest = false;   // stands for all states of its kind on its path from there on
};

class StateQueue {
 public:
  using KindIndex = uint32_t;
  // At least 1. Asked once, until forget_costs().
  using Cost = std::function<uint64_t(const StateKind&)>;

  StateQueue(Cost cost, double random_share, uint64_t seed);

  KindIndex kind(const StateKind& kind);
  void add(KindIndex kind, const OpenState& state);
  struct Taken {
    KindIndex kind = 0;
    OpenState state;
  };
  std::optional<Taken> take();
  // What was spent on a kind, in the same unit for all.
  void charge(KindIndex kind, uint64_t amount);
  // An execution took the side of the kind: from now on it is dearer than those that none has taken.
  void cover(KindIndex kind) { kinds_[kind].is_covered = true; }
  bool is_covered(KindIndex kind) const { return kinds_[kind].is_covered; }
  const StateKind& operator[](KindIndex kind) const { return kinds_[kind].what; }

  void forget_costs();
  // States of it are next when there are no others.
  void mark_known(uint64_t sequence) { known_.insert(sequence); }
  size_t size() const { return size_; }

 private:
  struct Kind {
    StateKind what;
    uint64_t cost = 0;  // 0: to be asked for
    uint64_t spent = 1;
    uint64_t turns = 0;
    uint64_t* spent_on_call = nullptr;  // of a library function: on all kinds of that call
    bool is_covered = false;
    std::deque<OpenState> states;
    std::deque<OpenState> rests;  // when there are no states
  };
  KindIndex cheapest();
  KindIndex any();
  std::optional<OpenState> take_of(Kind& kind, bool is_random);
  void note_empty(KindIndex kind);

  Cost cost_;
  double random_share_;
  std::mt19937_64 random_;
  std::vector<Kind> kinds_;
  std::map<StateKind, KindIndex> numbers_;
  std::map<StateKind, uint64_t> spent_on_calls_;  // by what kinds of a call have in common
  std::vector<KindIndex> filled_;                 // kinds that have states
  std::vector<uint32_t> place_;                   // by kind: in filled_, or kNone
  std::unordered_set<uint64_t> known_;
  std::deque<Taken> back_;  // of known sequences
  size_t size_ = 0;
};

}  // namespace heddle::interact
