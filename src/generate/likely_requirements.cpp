#include "generate/likely_requirements.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "generate/keys.h"
#include "generate/lock_rules.h"
#include "generate/requirements.h"
#include "predict/patterns.h"

namespace heddle::generate {
namespace {

// Of alike locations: a pattern over two of them needs two.
constexpr size_t kMostAlike = 2;
// Of each call. Those of long calls say the same again and again.
constexpr size_t kMostOfUnit = 64;
// As prediction does, pairs of two locations are looked for among so many accesses in a row.
constexpr size_t kWindow = 8;
constexpr size_t kMostFound = 512;
// Of one access.
constexpr size_t kMostPieces = 16;

// A part of memory that is accessed as a whole or not at all.
struct Piece {
  const CallAccess* access;
  uint64_t location;
};

// Accesses may overlap: one reads a text, and another one writes its first character. So memory is cut where
// some access of either call begins or ends.
class Pieces {
 public:
  Pieces(const CallFootprint& one, const CallFootprint& other) {
    for (const CallFootprint* call : {&one, &other}) {
      for (const CallAccess& access : call->accesses) {
        std::vector<uint64_t>& cuts = cuts_[access.object];
        cuts.push_back(access.offset);
        cuts.push_back(access.offset + access.size);
      }
    }
    for (auto& [object, cuts] : cuts_) {
      std::sort(cuts.begin(), cuts.end());
      cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    }
  }

  std::vector<Piece> of(const CallFootprint& call) const {
    std::vector<Piece> pieces;
    for (const CallAccess& access : call.accesses) {
      const std::vector<uint64_t>& cuts = cuts_.at(access.object);
      auto cut = std::lower_bound(cuts.begin(), cuts.end(), access.offset);
      for (size_t i = 0; i < kMostPieces && *cut < access.offset + access.size; ++i, ++cut)
        pieces.push_back({&access, mix(access.object, *cut)});
    }
    return pieces;
  }

 private:
  std::unordered_map<uint64_t, std::vector<uint64_t>> cuts_;  // by object
};

// One side's accesses to what both access.
struct Unit {
  std::vector<Piece> pieces;  // in their order
  std::vector<uint64_t> places;
  std::unordered_map<uint64_t, std::vector<size_t>> by_location;

  const CallAccess& operator[](size_t i) const { return *pieces[i].access; }
};

// Locations that both access and one of them writes, of each kind the first few.
class CommonLocations {
 public:
  CommonLocations(const std::vector<Piece>& one, const std::vector<Piece>& other) {
    add(one, 1);
    add(other, 2);
    std::unordered_map<uint64_t, size_t> alike;
    for (const uint64_t location : order_) {
      const Use& use = uses_.at(location);
      if (use.sides != 3 || !use.is_written || alike[use.kind]++ >= kMostAlike) continue;
      chosen_.insert(location);
    }
  }

  bool contains(uint64_t location) const { return chosen_.contains(location); }

 private:
  struct Use {
    int sides = 0;
    bool is_written = false;
    uint64_t kind = 0;  // the places, of both
  };

  void add(const std::vector<Piece>& pieces, int side) {
    for (const Piece& piece : pieces) {
      const auto [at, is_new] = uses_.try_emplace(piece.location);
      if (is_new) order_.push_back(piece.location);
      at->second.sides |= side;
      at->second.is_written |= piece.access->writes;
      at->second.kind = mix(mix(at->second.kind, static_cast<uint64_t>(side)), piece.access->site);
    }
  }

  std::unordered_map<uint64_t, Use> uses_;
  std::vector<uint64_t> order_;
  std::unordered_set<uint64_t> chosen_;
};

Unit unit_of(const std::vector<Piece>& pieces, std::string_view method, const CommonLocations& common) {
  Unit unit;
  for (const Piece& piece : pieces) {
    if (!common.contains(piece.location)) continue;
    if (unit.pieces.size() == kMostOfUnit) break;
    unit.by_location[piece.location].push_back(unit.pieces.size());
    unit.pieces.push_back(piece);
    unit.places.push_back(requirement_place(piece.access->site, method));
  }
  return unit;
}

class Estimate {
 public:
  std::vector<uint64_t> find(const Unit& one, const Unit& other) {
    find_races(one, other);
    for (const auto& [unit, intruder] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      find_in_one_location(*unit, *intruder);
      find_in_two_locations(*unit, *intruder);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    if (found_.size() > kMostFound) found_.resize(kMostFound);
    return std::move(found_);
  }

 private:
  static const std::vector<size_t>& at(const Unit& unit, uint64_t location) {
    static const std::vector<size_t> kNone;
    const auto found = unit.by_location.find(location);
    return found == unit.by_location.end() ? kNone : found->second;
  }

  void find_races(const Unit& one, const Unit& other) {
    for (size_t i = 0; i < one.pieces.size(); ++i) {
      const CallAccess& a = one[i];
      for (const size_t k : at(other, one.pieces[i].location)) {
        const CallAccess& b = other[k];
        if ((!a.writes && !b.writes) || (a.atomic && b.atomic) || exclude_each_other(a, b)) continue;
        found_.push_back(requirement_key(PredictionKind::kRace, 0, {one.places[i], other.places[k]}));
      }
    }
  }

  // Patterns 1 to 5: two accesses in a row, or two writes.
  void find_in_one_location(const Unit& unit, const Unit& intruder) {
    for (const auto& [location, indices] : unit.by_location) {
      for (size_t first = 0; first < indices.size(); ++first) {
        bool has_written = false;  // between the two
        for (size_t second = first + 1; second < indices.size(); ++second) {
          const CallAccess& a = unit[indices[first]];
          const CallAccess& b = unit[indices[second]];
          if (second == first + 1 || (a.writes && b.writes && !has_written))
            add_intrusions(unit, indices[first], indices[second], intruder);
          has_written |= b.writes;
        }
      }
    }
  }

  void add_intrusions(const Unit& unit, size_t first, size_t second, const Unit& intruder) {
    const CallAccess& a = unit[first];
    const CallAccess& b = unit[second];
    for (const size_t k : at(intruder, unit.pieces[first].location)) {
      const CallAccess& between = intruder[k];
      const std::array<PatternStep, 3> steps = {PatternStep{false, a.writes, 0},
                                                PatternStep{true, between.writes, 0},
                                                PatternStep{false, b.writes, 0}};
      if (is_kept_out(a, b, between)) continue;
      add(steps, {unit.places[first], intruder.places[k], unit.places[second]});
    }
  }

  // Patterns 6 to 14.
  void find_in_two_locations(const Unit& unit, const Unit& other) {
    for (size_t i = 0; i < unit.pieces.size(); ++i) {
      const size_t end = std::min(unit.pieces.size(), i + 1 + kWindow);
      for (size_t j = i + 1; j < end; ++j) {
        const CallAccess& a = unit[i];
        const CallAccess& b = unit[j];
        if (&a == &b || a.object != b.object || a.writes != b.writes) continue;
        if (unit.pieces[i].location == unit.pieces[j].location) continue;
        for (const size_t k : at(other, unit.pieces[i].location))
          for (const size_t m : at(other, unit.pieces[j].location))
            if (&other[k] != &other[m]) add_crossing(unit, i, j, other, k, m);
      }
    }
  }

  // The accesses k and m of the other call are to the locations of i and j.
  void add_crossing(const Unit& unit, size_t i, size_t j, const Unit& other, size_t k, size_t m) {
    const CallAccess& a = unit[i];
    const CallAccess& b = unit[j];
    const CallAccess& on_first = other[k];
    const CallAccess& on_second = other[m];
    using Steps = std::array<PatternStep, 4>;
    const PatternStep u1{false, a.writes, 0}, u2{false, b.writes, 1};
    const PatternStep v1{true, on_first.writes, 0}, v2{true, on_second.writes, 1};
    const uint64_t at_i = unit.places[i], at_j = unit.places[j];
    const uint64_t at_k = other.places[k], at_m = other.places[m];
    const CallAccess& sooner = k < m ? on_first : on_second;
    const CallAccess& later = k < m ? on_second : on_first;
    if (is_kept_out(a, b, sooner)) return;
    if (!is_kept_out(a, b, later)) {
      if (k < m)
        add(Steps{u1, v1, v2, u2}, {at_i, at_k, at_m, at_j});
      else
        add(Steps{u1, v2, v1, u2}, {at_i, at_m, at_k, at_j});
    }
    if (m < k && !is_kept_out(sooner, later, b)) add(Steps{u1, v2, u2, v1}, {at_i, at_m, at_j, at_k});
  }

  template <size_t size>
  void add(const std::array<PatternStep, size>& steps, std::vector<uint64_t> places) {
    const AccessPattern* pattern = find_pattern(steps);
    if (pattern == nullptr) return;
    found_.push_back(requirement_key(PredictionKind::kPattern, pattern->number, std::move(places)));
  }

  std::vector<uint64_t> found_;
};

}  // namespace

std::vector<uint64_t> likely_requirements(const MethodCall& one, const MethodCall& other) {
  const Pieces pieces(one.footprint, other.footprint);
  const std::vector<Piece> of_one = pieces.of(one.footprint);
  const std::vector<Piece> of_other = pieces.of(other.footprint);
  const CommonLocations common(of_one, of_other);
  return Estimate().find(unit_of(of_one, one.method, common), unit_of(of_other, other.method, common));
}

}  // namespace heddle::generate
