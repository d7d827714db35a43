#include "interact/locations.h"

#include <algorithm>
#include <iterator>

namespace heddle::interact {
namespace {

using Statements = std::vector<StatementIndex>;

Statements united(const Statements& one, const Statements& other) {
  Statements all;
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(all));
  return all;
}

class Locations {
 public:
  explicit Locations(const LocationQuestion& question)
      : question_(question),
        changes_(question.dependences.changes),
        direct_(question.dependences.direct),
        group_of_(changes_.size(), kNone),
        result_(changes_.size()) {}

  std::vector<bool> find() {
    for (StatementIndex s = 0; s < changes_.size(); ++s) {
      if (!depends_on_several(s)) continue;
      if (question_.with_unimportant)
        result_[s] = is_candidate(s);
      else if (group_of_[s] == kNone)
        visit_groups(s);
    }
    return std::move(result_);
  }

 private:
  bool depends_on_several(StatementIndex s) const {
    return !question_.is_change[s] && changes_[s].size() > 1;
  }
  bool is_candidate(StatementIndex s) const {
    return depends_on_several(s) && question_.may_interact[s] && !question_.is_output[s];
  }

  // Groups are strongly connected components (Tarjan), each found after those that it depends on.
  struct Frame {
    StatementIndex statement;
    size_t next = 0;
  };
  void visit_groups(StatementIndex root) {
    if (order_.empty()) {
      order_.assign(changes_.size(), kNone);
      lowest_.assign(changes_.size(), kNone);
    }
    std::vector<Frame> frames;
    const auto begin = [&](StatementIndex s) {
      order_[s] = lowest_[s] = next_order_++;
      stack_.push_back(s);
      frames.push_back({s});
    };
    begin(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const StatementIndex s = frame.statement;
      if (frame.next < direct_[s].size()) {
        const StatementIndex on = direct_[s][frame.next++].on;
        if (!depends_on_several(on)) continue;
        if (order_[on] == kNone)
          begin(on);
        else if (group_of_[on] == kNone)
          lowest_[s] = std::min(lowest_[s], order_[on]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        uint32_t& parent = lowest_[frames.back().statement];
        parent = std::min(parent, lowest_[s]);
      }
      if (lowest_[s] == order_[s]) end_group(s);
    }
  }

  void end_group(StatementIndex first) {
    Statements members;
    const auto group = static_cast<uint32_t>(is_shown_.size());
    StatementIndex member = kNone;
    do {
      member = stack_.back();
      stack_.pop_back();
      group_of_[member] = group;
      members.push_back(member);
    } while (member != first);
    is_shown_.push_back(judge(members, group));
  }

  // Whether the group is in the graph, itself or by a location that it merely depends on.
  bool judge(const Statements& members, uint32_t group) {
    Statements all;
    for (const StatementIndex s : members) all = united(all, changes_[s]);
    bool has_data = false;
    Statements entered;
    for (const StatementIndex s : members) {
      bool is_entered = false;
      for (const DirectDependence& direct : direct_[s]) {
        if (group_of_[direct.on] == group) continue;
        const Statements influence = influence_of(direct.on, all);
        if (influence.empty()) continue;
        if (influence == all && depends_on_several(direct.on) && is_shown_[group_of_[direct.on]]) return true;
        is_entered = true;
        has_data |= direct.is_data;
      }
      if (is_entered && is_candidate(s)) entered.push_back(s);
    }
    bool is_shown =
        std::any_of(members.begin(), members.end(), [&](auto s) { return question_.is_output[s]; });
    if (!has_data) return is_shown;
    // If it is entered in a library's code only, the location is what uses that.
    for (const StatementIndex s : entered.empty() ? members : entered) {
      if (!is_candidate(s)) continue;
      result_[s] = true;
      is_shown = true;
    }
    return is_shown;
  }

  Statements influence_of(StatementIndex on, const Statements& among) const {
    Statements influence;
    std::set_intersection(changes_[on].begin(), changes_[on].end(), among.begin(), among.end(),
                          std::back_inserter(influence));
    if (question_.is_change[on] && std::binary_search(among.begin(), among.end(), on))
      influence = united(influence, {on});
    return influence;
  }

  const LocationQuestion& question_;
  const std::vector<Statements>& changes_;
  const std::vector<std::vector<DirectDependence>>& direct_;
  std::vector<uint32_t> group_of_;
  std::vector<bool> is_shown_;  // by group
  std::vector<bool> result_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> lowest_;
  Statements stack_;
  uint32_t next_order_ = 0;
};

}  // namespace

std::vector<bool> find_locations(const LocationQuestion& question) {
  return Locations(question).find();
}

}  // namespace heddle::interact
