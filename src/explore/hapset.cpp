#include "explore/hapset.h"

#include <charconv>
#include <map>
#include <unordered_map>

namespace heddle {
namespace {

using trace::EventKind;
using trace::OperationClass;

constexpr std::string_view kFirstLine = "heddle hapset 1";
constexpr uint64_t kTimedOutMark = 0x9e3779b97f4a7c15;

// The last operation of each thread on one location.
struct Uses {
  struct Use {
    Effect effect;
    uint32_t thread = 0;
    uint64_t time = 0;
    uint64_t statement = 0;
  };
  std::map<uint32_t, Use> by_thread;
  uint64_t end = 0;
};

// Reads and writes, locks, waits and notifies.
bool is_learned(const Effect& effect) {
  return effect.kind != OperationClass::kNone && effect.kind != OperationClass::kEverything &&
         !lets_go(effect);
}

std::string hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", static_cast<unsigned long>(value));
  return text;
}

bool parse_hex(std::string_view text, uint64_t* value) {
  if (text.size() != 16) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, 16);
  return error == std::errc() && end == text.data() + text.size();
}

// "<statement> <0 or 1> after <statement>"
bool parse_pair(std::string_view line, HapSet::Pair* pair) {
  if (line.size() != 16 + 3 + 6 + 16 || line[16] != ' ' || line.substr(18, 7) != " after ") return false;
  if (line[17] != '0' && line[17] != '1') return false;
  pair->by_larger = line[17] == '1';
  return parse_hex(line.substr(0, 16), &pair->statement) && parse_hex(line.substr(25), &pair->before);
}

}  // namespace

std::vector<uint64_t> HapSet::before(uint64_t statement) const {
  std::vector<uint64_t> found;
  for (auto at = pairs_.lower_bound({statement, 0, false}); at != pairs_.end() && at->statement == statement;
       ++at)
    found.push_back(at->before);
  return found;
}

size_t HapSet::merge(const HapSet& other) {
  const size_t size = pairs_.size();
  pairs_.insert(other.pairs_.begin(), other.pairs_.end());
  return pairs_.size() - size;
}

void HapSet::drop(const std::set<uint64_t>& statements) {
  std::erase_if(pairs_, [&](const Pair& pair) {
    return statements.count(pair.statement) != 0 || statements.count(pair.before) != 0;
  });
}

bool lets_go(const Effect& effect) {
  return effect.releases || effect.kind == OperationClass::kPost;
}

uint64_t statement_of(const Operation& operation, trace::StepKind chosen) {
  return chosen == trace::StepKind::kTimeout ? operation.statement ^ kTimedOutMark : operation.statement;
}

// Section 4 of the paper. Looking back ends at what the thread itself did last to the object: in the paper's
// first example e3 has no predecessor, since e2 of the same thread is between.
size_t learn(const Observation& seen, HapSet* sets) {
  std::unordered_map<uint64_t, std::map<uint64_t, Uses>> objects;  // locations by their beginnings
  const size_t size = sets->size();
  uint64_t time = 0;
  for (const ObservedStep& step : seen.steps) {
    for (const Operation& operation : step.operations) {
      const Effect effect = effect_of(operation);
      if (!is_learned(effect)) continue;
      const uint32_t thread = step.chosen.thread;
      const uint64_t statement = statement_of(operation, step.chosen.kind);
      auto& locations = objects[effect.object];
      auto at = locations.upper_bound(effect.begin);
      while (at != locations.begin() && std::prev(at)->second.end > effect.begin) --at;
      for (; at != locations.end() && at->first < effect.end; ++at) {
        const auto own = at->second.by_thread.find(thread);
        const uint64_t since = own == at->second.by_thread.end() ? 0 : own->second.time;
        for (const auto& [other, use] : at->second.by_thread) {
          if (other != thread && use.time > since && depend(use.effect, effect))
            sets->add({statement, use.statement, thread > other});
        }
      }
      Uses& uses = locations[effect.begin];
      uses.end = std::max(uses.end, effect.end);
      uses.by_thread[thread] = {effect, thread, ++time, statement};
    }
  }
  return sets->size() - size;
}

std::string print_hapset(const HapSet& sets) {
  std::string text(kFirstLine);
  text += "\n";
  for (const HapSet::Pair& pair : sets.pairs())
    text += hex(pair.statement) + (pair.by_larger ? " 1" : " 0") + " after " + hex(pair.before) + "\n";
  return text;
}

Expected<HapSet> parse_hapset(std::string_view text, const std::string& name) {
  HapSet sets;
  size_t line_number = 0;
  while (!text.empty() || line_number == 0) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line_number++;
    HapSet::Pair pair;
    const bool valid = line_number == 1 ? line == kFirstLine : parse_pair(line, &pair);
    if (!valid) {
      return usage_error(
          name + ":" + std::to_string(line_number) + ": " +
          (line_number == 1 ? "not a file of HaPSets: it should begin with '" + std::string(kFirstLine) + "'"
                            : "not a pair of statements: '" + std::string(line) + "'"));
    }
    if (line_number > 1) sets.add(pair);
  }
  return sets;
}

}  // namespace heddle
