#include "select/version_map.h"

#include <algorithm>
#include <cctype>

#include "program/analyses.h"
#include "select/lambda_numbers.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::Node;
using program::NodeId;

namespace {

// Its call operator. An instance of a template for something inside a lambda has a name that goes on alike,
// but there is one in the same place for each such lambda.
bool is_numbered_lambda(const program::Program& program, FunctionIndex function) {
  return program.function(function).name.ends_with("{lambda}") &&
         !lambda_called(program.linkage_name(function)).empty();
}

}  // namespace

VersionMap::VersionMap(const program::Program& base, const program::Program& head, const SourceChange& change)
    : base_(base), head_(head), change_(change), pairings_(head.size()) {
  index_changes();
  index_functions();
  index_base();
  for (FunctionIndex f = 0; f < head.size(); ++f)
    if (is_numbered_lambda(head, f)) pair_lambda(f);
  for (FunctionIndex f = 0; f < head.size(); ++f)
    if (!is_numbered_lambda(head, f)) pair(f);
}

void VersionMap::index_changes() {
  for (const FileChange& file : change_.files)
    if (!file.new_path.empty()) old_paths_[file.new_path] = file.old_path;
  for (const StatementChange& change : change_.statements.changes()) {
    if (change.new_statement) {
      if (const SourceStatement* statement = change_.statements.find_head(*change.new_statement))
        changed_.emplace(Place{change.new_statement->function.file, statement->range}, &change);
    }
    if (change.old_statement) {
      if (const SourceStatement* statement = change_.statements.find_base(*change.old_statement))
        removed_.emplace(Place{change.old_statement->function.file, statement->range}, &change);
    }
  }
}

void VersionMap::index_functions() {
  // "ns::Queue::push(int) const": without the name, which may be another without any effect.
  const auto parameters = [](const std::string& signature) {
    const size_t open = signature.find('(');
    return open == std::string::npos ? std::string() : signature.substr(open);
  };
  for (const FunctionChange& change : change_.statements.functions()) {
    if (change.old_function && change.new_function &&
        parameters(change.old_function->signature) != parameters(old_name(change.new_function->signature)))
      other_heads_.insert(*change.new_function);
  }
}

void VersionMap::index_base() {
  std::set<std::string> files;
  for (const FileChange& file : change_.files)
    if (!file.old_path.empty()) files.insert(file.old_path);
  for (const auto& [place, change] : removed_) files.insert(place.file);
  for (FunctionIndex f = 0; f < base_.size(); ++f) {
    const Function& function = base_.function(f);
    if (const std::string& name = base_.linkage_name(f); !name.empty()) base_names_[name].push_back(f);
    if (is_numbered_lambda(base_, f) && !function.nodes.empty())
      base_lambdas_[{function.nodes.front().file, function.nodes.front().range}].push_back(f);
    if (!files.contains(function.file)) continue;
    for (uint32_t n = 0; n < function.nodes.size(); ++n)
      base_nodes_[{function.nodes[n].file, function.nodes[n].range}].push_back({f, n});
  }
}

void VersionMap::pair(FunctionIndex head) {
  const Function& function = head_.function(head);
  Pairing& pairing = pairings_[head];
  const bool is_in_changed_file =
      old_paths_.contains(function.file) ||
      std::any_of(function.nodes.begin(), function.nodes.end(),
                  [&](const Node& node) { return changed_.contains({node.file, node.range}); });
  if (!is_in_changed_file) {  // as it was, line by line
    pairing.by_name = is_numbered_lambda(head_, head) ? find_lambda(head) : find_by_name(head);
    return;
  }
  pairing.is_compared = true;
  pairing.nodes.resize(function.nodes.size());
  pairing.base = find_base(head);
  if (pairing.base == kNone) return;
  pairing.has_other_head = has_changed_head(function);
  translate(head, pairing);
  compare(head, pairing);
}

// The name that the linker would know if classes and functions had their old names, which are part of it,
// each with its length before it: "_ZN5Crate3addEi" is "_ZN3Box3putEi".
std::string VersionMap::old_linkage_name(const std::string& name) const {
  std::string result;
  for (size_t at = 0; at < name.size();) {
    size_t end = at;
    size_t length = 0;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0 &&
           length <= name.size())
      length = 10 * length + static_cast<size_t>(name[end++] - '0');
    if (end == at) {
      result += name[at++];
      continue;
    }
    if (length > 0 && length <= name.size() - end) {
      const std::string word = name.substr(end, length);
      if (const std::string old = change_.statements.under_old_names(word); old != word) {
        result += std::to_string(old.size()) + old;
        at = end + length;
        continue;
      }
    }
    result.append(name, at, end - at);
    at = end;
  }
  return result;
}

void VersionMap::pair_lambda(FunctionIndex head) {
  pair(head);
  const Pairing& pairing = pairings_[head];
  const FunctionIndex base = pairing.is_compared ? pairing.base : pairing.by_name;
  if (base == kNone) return;
  const std::string_view number = lambda_called(base_.linkage_name(base));
  if (number.empty()) return;
  lambda_numbers_.try_emplace(
      {head_.unit_of(head).file, std::string(lambda_called(head_.linkage_name(head)))}, number);
}

// In a file that has not changed: what has its statements. Of several, instances of a generic lambda among
// them, the first that is not taken yet, as they come in the same order.
FunctionIndex VersionMap::find_lambda(FunctionIndex head) {
  const Function& function = head_.function(head);
  if (function.nodes.empty()) return kNone;
  const auto found = base_lambdas_.find({function.nodes.front().file, function.nodes.front().range});
  if (found == base_lambdas_.end()) return kNone;
  const auto unnumbered = [](const std::string& name) {
    return with_lambda_numbers(name, [](std::string_view) { return std::string(); });
  };
  const auto is_same = [](const Node& one, const Node& other) {
    return one.file == other.file && one.range == other.range;
  };
  const std::string name = unnumbered(head_.linkage_name(head));
  for (const FunctionIndex candidate : found->second)
    if (std::ranges::equal(base_.function(candidate).nodes, function.nodes, is_same) &&
        unnumbered(base_.linkage_name(candidate)) == name && paired_lambdas_.insert(candidate).second)
      return candidate;
  return kNone;
}

// With the numbers that the base has for the same lambdas; empty if it has not all of them.
std::string VersionMap::base_linkage_name(FunctionIndex head) const {
  bool is_known = true;
  const std::string& unit = head_.unit_of(head).file;
  std::string name = with_lambda_numbers(head_.linkage_name(head), [&](std::string_view number) {
    const auto found = lambda_numbers_.find(std::pair{unit, std::string(number)});
    is_known &= found != lambda_numbers_.end();
    return is_known ? found->second : std::string();
  });
  return is_known ? name : std::string();
}

FunctionIndex VersionMap::find_by_name(FunctionIndex head) const {
  const std::string name = base_linkage_name(head);
  if (name.empty()) return kNone;
  auto found = base_names_.find(name);
  if (found == base_names_.end()) found = base_names_.find(old_linkage_name(name));
  return found == base_names_.end() ? kNone : found->second.front();
}

// By the statements they have in common, as the statement map sees them: functions are renamed, moved, and
// lambdas numbered anew. If there are none, by name.
FunctionIndex VersionMap::find_base(FunctionIndex head) const {
  const Function& function = head_.function(head);
  std::map<FunctionIndex, uint32_t> votes;
  for (const Node& node : function.nodes) {
    const auto statement =
        change_.statements.head_statement_at(node.file, node.range.first_line, node.range.first_column);
    if (!statement) continue;
    const auto old_statement = change_.statements.to_old(*statement);
    const SourceStatement* source = old_statement ? change_.statements.find_base(*old_statement) : nullptr;
    if (source == nullptr) continue;
    const auto found = base_nodes_.find({old_statement->function.file, source->range});
    if (found == base_nodes_.end()) continue;
    for (const NodeId& candidate : found->second) votes[candidate.function] += 4;
  }
  const std::string name = base_linkage_name(head);
  auto same = base_names_.find(name);
  if (same == base_names_.end()) same = base_names_.find(old_linkage_name(name));
  if (same != base_names_.end())
    for (const FunctionIndex candidate : same->second) votes[candidate] += 2;
  for (auto& [candidate, count] : votes)
    if (base_.function(candidate).name == function.name) ++count;
  FunctionIndex best = kNone;
  uint32_t most = 0;
  for (const auto& [candidate, count] : votes) {
    if (count <= most) continue;
    best = candidate;
    most = count;
  }
  return best;
}

bool VersionMap::has_changed_head(const Function& function) const {
  if (other_heads_.empty() || function.nodes.empty()) return false;
  const Node& first = function.nodes.front();
  const auto statement =
      change_.statements.head_statement_at(first.file, first.range.first_line, first.range.first_column);
  return statement && other_heads_.contains(statement->function);
}

// Statements that are the same, wherever they are now.
void VersionMap::translate(FunctionIndex head, Pairing& pairing) const {
  const Function& function = head_.function(head);
  const Function& before = base_.function(pairing.base);
  std::map<Place, uint32_t> old_nodes;
  for (uint32_t n = 0; n < before.nodes.size(); ++n)
    old_nodes.emplace(Place{before.nodes[n].file, before.nodes[n].range}, n);
  for (uint32_t n = 0; n < function.nodes.size(); ++n) {
    if (const StatementChange* change = change_of({head, n});
        change != nullptr && change->reason == ChangeReason::kText)
      continue;
    const Node& node = function.nodes[n];
    const auto statement =
        change_.statements.head_statement_at(node.file, node.range.first_line, node.range.first_column);
    const auto old_statement = statement ? change_.statements.to_old(*statement) : std::nullopt;
    const SourceStatement* source = old_statement ? change_.statements.find_base(*old_statement) : nullptr;
    if (source == nullptr) continue;  // a line without a statement
    const auto found = old_nodes.find({old_statement->function.file, source->range});
    if (found != old_nodes.end())
      pairing.nodes[n] = OldNode{&before, found->second, before.nodes[found->second].file, true};
  }
}

// What the statement map leaves open: statements that differ, and lines without one.
void VersionMap::compare(FunctionIndex head, Pairing& pairing) const {
  const auto is_open = [](const std::optional<OldNode>& node) { return !node; };
  if (std::none_of(pairing.nodes.begin(), pairing.nodes.end(), is_open)) return;
  const Function& before = base_.function(pairing.base);
  const std::vector<program::NodeMatch> matches = compare_functions(before, head_.function(head));
  for (size_t n = 0; n < matches.size(); ++n) {
    if (pairing.nodes[n] || matches[n].base_node == kNone) continue;
    pairing.nodes[n] =
        OldNode{&before, matches[n].base_node, before.nodes[matches[n].base_node].file, matches[n].is_equal};
  }
}

std::optional<VersionMap::OldNode> VersionMap::old_of(const NodeId& head) const {
  const Pairing& pairing = pairings_[head.function];
  if (pairing.is_compared) return pairing.nodes[head.node];
  const Function& function = head_.function(head.function);
  return OldNode{&function, head.node, function.nodes[head.node].file, true, false};
}

bool VersionMap::is_in_base(FunctionIndex head) const {
  return !pairings_[head].is_compared || pairings_[head].base != kNone;
}
bool VersionMap::has_other_head(FunctionIndex head) const {
  return pairings_[head].has_other_head;
}
FunctionIndex VersionMap::base_function(FunctionIndex head) const {
  return pairings_[head].base;
}
FunctionIndex VersionMap::partner(FunctionIndex head) const {
  return is_compared(head) ? base_function(head) : pairings_[head].by_name;
}

uint32_t VersionMap::equal_node(const NodeId& head) const {
  if (is_compared(head.function)) {
    const std::optional<OldNode>& old = nodes(head.function)[head.node];
    return old && old->is_equal ? old->node : kNone;
  }
  const FunctionIndex before = partner(head.function);
  if (before == kNone) return kNone;
  // As it was, but for statements of which the compiler left nothing: an `if constexpr`.
  const Node& node = head_.function(head.function).nodes[head.node];
  const std::vector<Node>& old = base_.function(before).nodes;
  const auto is_same = [&](const Node& other) {
    return other.range == node.range && other.file == node.file;
  };
  if (head.node < old.size() && is_same(old[head.node])) return head.node;
  const auto found = std::find_if(old.begin(), old.end(), is_same);
  return found == old.end() ? kNone : static_cast<uint32_t>(found - old.begin());
}

bool VersionMap::is_compared(FunctionIndex head) const {
  return pairings_[head].is_compared;
}
const std::vector<std::optional<VersionMap::OldNode>>& VersionMap::nodes(FunctionIndex head) const {
  return pairings_[head].nodes;
}

std::vector<uint32_t> VersionMap::removed_nodes(FunctionIndex head) const {
  const Pairing& pairing = pairings_[head];
  if (pairing.base == kNone) return {};
  std::vector<bool> is_kept(base_.function(pairing.base).nodes.size());
  for (const std::optional<OldNode>& node : pairing.nodes)
    if (node && node->is_equal) is_kept[node->node] = true;
  std::vector<uint32_t> removed;
  for (uint32_t n = 0; n < is_kept.size(); ++n)
    if (!is_kept[n]) removed.push_back(n);
  return removed;
}

const StatementChange* VersionMap::change_of(const NodeId& head) const {
  const Node& node = head_.function(head.function).nodes[head.node];
  const auto found = changed_.find({node.file, node.range});
  return found == changed_.end() ? nullptr : found->second;
}

const std::string& VersionMap::old_path(const std::string& head_file) const {
  const auto found = old_paths_.find(head_file);
  return found == old_paths_.end() || found->second.empty() ? head_file : found->second;
}

}  // namespace heddle::select
