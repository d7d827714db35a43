// Two versions of a function walked together (DEJAVU; ALGORITHMS section 4, step 2).
//
// A *step* is a run of operations of one node within a block. The walk holds pairs of steps, one of each
// version, and goes on along edges with the same label while both are equal. Where they differ it looks for
// the nearest pair of equal steps ahead, and goes on there. What stood in the base where the head has
// something else stands for it: it was executed when that would have been.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "program/analyses.h"
#include "program/comparable_text.h"
#include "program/flow_graph.h"

namespace heddle::program {
namespace {

struct Step {
  uint32_t node = kNone;  // kNone: the block has none
  std::vector<std::pair<std::string, uint32_t>> next;
};

struct Steps {
  Steps(const Function& of, std::vector<std::string> given)
      : function(of), texts(std::move(given)), first(of.blocks.size()) {
    for (uint32_t block = 0; block < of.blocks.size(); ++block) {
      first[block] = static_cast<uint32_t>(all.size());
      for (const Op& op : of.blocks[block].ops) {
        if (op.node == kNone) continue;
        if (all.size() > first[block] && all.back().node == op.node) continue;
        if (all.size() > first[block]) all.back().next.push_back({"", static_cast<uint32_t>(all.size())});
        all.push_back({op.node, {}});
      }
      if (all.size() == first[block]) all.push_back({});
      last.push_back(static_cast<uint32_t>(all.size() - 1));
    }
    for (uint32_t block = 0; block < of.blocks.size(); ++block) {
      for (const Edge& edge : of.blocks[block].edges) {
        if (!edge.exceptional) all[last[block]].next.push_back({edge.label, first[edge.to]});
      }
    }
  }

  // Steps ahead of `from`, itself included, nearest first.
  std::vector<std::pair<uint32_t, uint32_t>> ahead(uint32_t from) const {
    std::vector<std::pair<uint32_t, uint32_t>> found{{from, 0}};
    std::set<uint32_t> seen{from};
    for (size_t i = 0; i < found.size() && found.size() < kMaxAhead; ++i) {
      for (const auto& [label, to] : all[found[i].first].next) {
        if (seen.insert(to).second) found.push_back({to, found[i].second + 1});
      }
    }
    return found;
  }

  const std::string& text(uint32_t step) const {
    static const std::string kNothing;
    return all[step].node == kNone ? kNothing : texts[all[step].node];
  }

  // How far a difference is looked past: long enough for a rewritten function of a few hundred statements.
  static constexpr size_t kMaxAhead = 1000;
  const Function& function;
  std::vector<std::string> texts;  // of each node
  std::vector<Step> all;
  std::vector<uint32_t> first;  // step of each block
  std::vector<uint32_t> last;
};

class Walk {
 public:
  Walk(const Function& base, const Function& head, ComparableTexts texts)
      : base_(base, std::move(texts.base)),
        head_(head, std::move(texts.head)),
        to_base_(head_.all.size(), kNone),
        replaced_(head_.all.size(), kNone),
        to_head_(base_.all.size(), kNone) {}

  std::vector<NodeMatch> run() {
    if (!base_.all.empty() && !head_.all.empty()) reach(0, 0);
    while (!open_.empty()) {
      const auto [base, head] = open_.front();
      open_.pop_front();
      advance(base, head);
    }
    match_handlers();
    std::vector<NodeMatch> matches(head_.function.nodes.size());
    for (uint32_t step = 0; step < head_.all.size(); ++step) {
      const uint32_t node = head_.all[step].node;
      if (node == kNone || to_base_[step] == kNone || matches[node].is_equal) continue;
      matches[node] = {base_.all[to_base_[step]].node, true};
    }
    add_dominators(matches);
    return matches;
  }

 private:
  bool equal(uint32_t base, uint32_t head) const {
    return (base_.all[base].node == kNone) == (head_.all[head].node == kNone) &&
           base_.text(base) == head_.text(head);
  }

  // Both are reached by the same way.
  void reach(uint32_t base, uint32_t head) {
    if (to_base_[head] != kNone) return;
    if (equal(base, head) && to_head_[base] == kNone) return match(base, head);
    if (replaced_[head] == kNone && base_.all[base].node != kNone) replaced_[head] = base;
    resynchronise(base, head);
  }

  void match(uint32_t base, uint32_t head) {
    to_base_[head] = base;
    to_head_[base] = head;
    open_.push_back({base, head});
  }

  void advance(uint32_t base, uint32_t head) {
    for (const auto& [label, to] : head_.all[head].next) {
      const auto& others = base_.all[base].next;
      const auto same =
          std::find_if(others.begin(), others.end(), [&](const auto& o) { return o.first == label; });
      if (same != others.end()) {
        reach(same->second, to);
      } else if (!others.empty()) {
        resynchronise(base, to);
      }
    }
  }

  void resynchronise(uint32_t base, uint32_t head) {
    if (!tried_.insert({base, head}).second) return;
    std::multimap<std::string, std::pair<uint32_t, uint32_t>> by_text;
    for (const auto& [step, distance] : base_.ahead(base)) {
      if (to_head_[step] == kNone && base_.all[step].node != kNone) {
        by_text.insert({base_.text(step), {step, distance}});
      }
    }
    uint32_t best = kNone;
    std::pair<uint32_t, uint32_t> found;
    const auto ahead = head_.ahead(head);
    for (const auto& [step, distance] : ahead) {
      if (distance >= best) break;
      if (to_base_[step] != kNone || head_.all[step].node == kNone) continue;
      const auto [from, to] = by_text.equal_range(head_.text(step));
      for (auto candidate = from; candidate != to; ++candidate) {
        const uint32_t total = distance + candidate->second.second;
        if (total < best) {
          best = total;
          found = {candidate->second.first, step};
        }
      }
    }
    // A condition that is in neither version's way ahead of the other was rewritten: its branches correspond.
    const bool is_rewritten =
        !by_text.contains(head_.text(head)) &&
        std::ranges::none_of(ahead, [&](const auto& step) { return equal(base, step.first); });
    if (is_rewritten) reach_branches(base, head);
    if (best != kNone && to_head_[found.first] == kNone && to_base_[found.second] == kNone)
      match(found.first, found.second);
  }

  void reach_branches(uint32_t base, uint32_t head) {
    const auto& others = base_.all[base].next;
    const auto& ours = head_.all[head].next;
    const auto same_label = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (ours.size() < 2 || !std::ranges::equal(others, ours, same_label)) return;
    for (size_t i = 0; i < ours.size(); ++i) reach(others[i].second, ours[i].second);
  }

  // What only exceptions reach is compared as text, in order: edges to it are no part of the walk.
  void match_handlers() {
    auto only_by_exception = [](const Steps& steps) {
      std::vector<uint32_t> result;
      const std::vector<uint32_t> reached =
          FlowGraph(steps.function, FlowGraph::Edges::kNormal).reverse_postorder();
      std::vector<bool> is_reached(steps.function.blocks.size());
      for (uint32_t block : reached) is_reached[block] = true;
      for (uint32_t block = 0; block < is_reached.size(); ++block) {
        if (is_reached[block]) continue;
        for (uint32_t step = steps.first[block]; step <= steps.last[block]; ++step) {
          if (steps.all[step].node != kNone) result.push_back(step);
        }
      }
      return result;
    };
    const std::vector<uint32_t> ours = only_by_exception(base_);
    size_t next = 0;
    for (uint32_t step : only_by_exception(head_)) {
      for (size_t i = next; i < ours.size(); ++i) {
        if (!equal(ours[i], step)) continue;
        to_base_[step] = ours[i];
        to_head_[ours[i]] = step;
        next = i + 1;
        break;
      }
    }
  }

  void add_dominators(std::vector<NodeMatch>& matches) const {
    const std::vector<uint32_t> dominators = FlowGraph(head_.function, FlowGraph::Edges::kAll).dominators();
    for (uint32_t block = 0; block < dominators.size(); ++block) {
      if (dominators[block] == kNone) continue;
      for (uint32_t step = head_.first[block]; step <= head_.last[block]; ++step) {
        const uint32_t node = head_.all[step].node;
        if (node == kNone || matches[node].base_node != kNone) continue;
        matches[node].base_node = nearest(block, step, dominators);
      }
    }
  }

  uint32_t nearest(uint32_t block, uint32_t step, const std::vector<uint32_t>& dominators) const {
    while (true) {
      for (uint32_t before = step + 1; before-- > head_.first[block];) {
        if (head_.all[before].node == kNone) continue;
        if (to_base_[before] != kNone) return base_.all[to_base_[before]].node;
        if (replaced_[before] != kNone) return base_.all[replaced_[before]].node;
      }
      if (dominators[block] == block) return kNone;
      block = dominators[block];
      step = head_.last[block];
    }
  }

  Steps base_;
  Steps head_;
  std::vector<uint32_t> to_base_;
  std::vector<uint32_t> replaced_;  // step of the base where the head has another
  std::vector<uint32_t> to_head_;
  std::deque<std::pair<uint32_t, uint32_t>> open_;
  std::set<std::pair<uint32_t, uint32_t>> tried_;
};

}  // namespace

std::vector<NodeMatch> compare_functions(const Function& base, const Function& head) {
  return Walk(base, head, comparable_texts(base, head)).run();
}

}  // namespace heddle::program
