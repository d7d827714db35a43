// Alignment: which event of the base an event of the head corresponds to.
//
// The n-th event of a kind in a place corresponds to the n-th of the base. So the events of the base are one
// list for each kind and place, and the head follows each of them once. In a long trace neither a list's end
// nor the event there is in the cache: prefetch_list() and prefetch_event(), some events ahead, see to that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle {

class Alignment {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // An event of the base, as far as it is compared.
  struct Known {
    uint64_t about = 0;
    uint64_t event : 56 = 0;
    uint64_t order : 8 = 0;
    uint32_t context = 0;
    uint32_t next = kNone;  // of its list
  };

  void reserve(size_t events) { known_.reserve(events); }

  // The base's next event at `place`; `key`: of the list for that place and the event's kind. Returns its
  // number.
  uint32_t add(uint64_t key, uint64_t place, const Known& known) {
    const auto number = static_cast<uint32_t>(known_.size());
    known_.push_back(known);
    List* list = find(key);
    if (list->last != kNone) {
      known_[list->last].next = number;
    } else {
      if ((places_.size() + 1) * 2 > lists_.size()) {
        grow();
        list = find(key);
      }
      *list = {.key = key, .first = number, .last = number};
      places_.push_back(place);
    }
    list->last = number;
    return number;
  }

  // The first of the list that has not been asked for yet; kNone if there is none.
  uint32_t next(uint64_t key) {
    List* list = find(key);
    if (list->first == kNone) return kNone;
    return std::exchange(list->first, known_[list->first].next);
  }
  const Known& operator[](uint32_t number) const { return known_[number]; }

  // Whether the base has any event there.
  bool comes_to(uint64_t place) {
    if (known_places_.empty()) known_places_.insert(places_.begin(), places_.end());
    return known_places_.contains(place);
  }

  void prefetch_list(uint64_t key) const { __builtin_prefetch(&lists_[index_of(key)], 1); }
  // The event that the next call of add() or next() with this key needs.
  void prefetch_event_to_add(uint64_t key) const { prefetch(find(key)->last); }
  void prefetch_event(uint64_t key) const { prefetch(find(key)->first); }

  uint64_t memory_bytes() const {
    return known_.capacity() * sizeof(Known) + lists_.capacity() * sizeof(List) +
           places_.capacity() * sizeof(uint64_t);
  }

 private:
  static constexpr size_t kFirstSize = 1 << 10;
  struct List {
    uint64_t key = 0;
    uint32_t first = kNone;  // that the head has not met
    uint32_t last = kNone;   // kNone: there is no such list
  };

  size_t index_of(uint64_t key) const {
    return static_cast<size_t>(key) & (lists_.size() - 1);  // keys are hashes
  }
  const List* find(uint64_t key) const {
    size_t at = index_of(key);
    while (lists_[at].last != kNone && lists_[at].key != key) at = (at + 1) & (lists_.size() - 1);
    return &lists_[at];
  }
  List* find(uint64_t key) { return const_cast<List*>(std::as_const(*this).find(key)); }
  void prefetch(uint32_t number) const {
    if (number != kNone) __builtin_prefetch(&known_[number], 1);
  }
  void grow() {
    std::vector<List> old(lists_.size() * 2);
    old.swap(lists_);
    for (const List& list : old)
      if (list.last != kNone) *find(list.key) = list;
  }

  std::vector<Known> known_;
  std::vector<List> lists_ = std::vector<List>(kFirstSize);  // a power of two
  std::vector<uint64_t> places_;                             // of all lists
  std::unordered_set<uint64_t> known_places_;                // the same, once somebody has asked
};

}  // namespace heddle
