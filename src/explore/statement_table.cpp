#include "explore/statement_table.h"

#include "symbolize/trace_symbols.h"
#include "trace/names.h"

namespace heddle {
namespace {

size_t hash_of_both(uint64_t a, uint64_t b) {
  return static_cast<size_t>((a * 0x9e3779b97f4a7c15 ^ b) * 0xbf58476d1ce4e5b9 >> 7);
}

}  // namespace

size_t StatementTable::Hash::operator()(const Site& site) const {
  return hash_of_both(site.module, site.offset);
}

size_t StatementTable::Hash::operator()(const Context& context) const {
  return hash_of_both(context.parent, context.call_site);
}

size_t StatementTable::Hash::operator()(const Use& use) const {
  return hash_of_both(hash_of_both(use.site, use.context), static_cast<uint64_t>(use.kind));
}

// Site and context 0 are "none" here as in a trace.
StatementTable::StatementTable(Symbolizer& symbolizer, const SourceTree& sources)
    : symbolizer_(symbolizer), sources_(sources), sites_(1), contexts_(1) {}

void StatementTable::begin(const trace::Trace& trace) {
  trace_ = &trace;
  trace_modules_.assign(trace.modules().size(), 0);
  trace_sites_.assign(trace.sites().size(), 0);
  trace_contexts_.assign(trace.contexts().size(), 0);
}

uint32_t StatementTable::module_of(uint32_t module) {
  uint32_t& number = trace_modules_[module];
  if (number == 0) {
    const trace::ModuleRecord& record = trace_->modules()[module];
    ModuleName name{std::string(trace_->string(record.path)), std::string(trace_->string(record.build_id))};
    const auto [entry, is_new] =
        module_numbers_.try_emplace({name.path, name.build_id}, static_cast<uint32_t>(modules_.size()));
    if (is_new) modules_.push_back(std::move(name));
    number = entry->second + 1;
  }
  return number - 1;
}

uint32_t StatementTable::site_of(uint32_t site) {
  if (site == 0) return 0;
  uint32_t& number = trace_sites_[site];
  if (number == 0) {
    const trace::SiteRecord& record = trace_->sites()[site];
    const Site ours{module_of(record.module), record.offset};
    const auto [entry, is_new] = site_numbers_.try_emplace(ours, static_cast<uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(lines_of(ours));
    number = entry->second + 1;
  }
  return number - 1;
}

uint32_t StatementTable::context_of(uint32_t context) {
  if (context == 0) return 0;
  if (trace_contexts_[context] == 0) {
    const trace::ContextRecord& record = trace_->contexts()[context];
    const Context ours{context_of(record.parent), site_of(record.call_site)};
    const auto [entry, is_new] = context_numbers_.try_emplace(ours, static_cast<uint32_t>(contexts_.size()));
    if (is_new) contexts_.push_back(ours);
    trace_contexts_[context] = entry->second + 1;
  }
  return trace_contexts_[context] - 1;
}

StatementTable::Lines StatementTable::lines_of(const Site& site) {
  const ModuleName& module = modules_[site.module];
  Lines lines;
  // It calls main.
  if (is_runtime_module(module.path)) return lines;
  const std::vector<Frame>& frames = symbolizer_.code(module, site.offset);
  const auto position_of = [&](const Frame& frame) -> CodePosition {
    if (frame.file.empty()) return {.file = sources_.name_of(module.path), .offset = site.offset};
    return {.file = sources_.name_of(frame.file), .line = frame.line, .column = frame.column};
  };
  lines.innermost = position_of(frames[0]);
  lines.function = frames[0].function;
  lines.begins_with_own = is_user_frame(frames[0], module.path);
  for (const Frame& frame : frames) {
    if (is_user_frame(frame, module.path)) lines.own.push_back(position_of(frame));
  }
  return lines;
}

Statement StatementTable::statement_of(const Use& use) const {
  const Lines& lines = sites_[use.site];
  Statement statement{
      .at = lines.innermost, .operation = std::string(trace::to_text(use.kind)), .function = lines.function};
  const auto add_calls = [&](const std::vector<CodePosition>& calls, size_t first) {
    for (size_t i = first; i < calls.size() && statement.context.size() < kContextDepth; ++i) {
      statement.context.push_back(calls[i]);
      statement.context.back().column = 0;
    }
  };
  add_calls(lines.own, lines.begins_with_own ? 1 : 0);
  for (uint32_t at = use.context; at != 0 && statement.context.size() < kContextDepth;
       at = contexts_[at].parent)
    add_calls(sites_[contexts_[at].call_site].own, 0);
  return statement;
}

uint64_t StatementTable::key(const trace::EventRecord& event) {
  const Use use{site_of(event.site), context_of(event.context), event.kind};
  const auto [entry, is_new] = keys_.try_emplace(use, 0);
  if (is_new) {
    Statement statement = statement_of(use);
    entry->second = key_of(statement);
    statements_.emplace(entry->second, std::move(statement));
  }
  return entry->second;
}

std::map<uint64_t, Statement> StatementTable::describe(const HapSet& sets) const {
  std::map<uint64_t, Statement> described;
  const auto add = [&](uint64_t key) {
    if (described.count(key) != 0) return;
    auto found = statements_.find(key);
    const bool timed_out = found == statements_.end();
    if (timed_out) found = statements_.find(key ^ kTimedOutMark);
    if (found == statements_.end()) return;
    described.emplace(key, found->second).first->second.timed_out = timed_out;
  };
  for (const HapSet::Pair& pair : sets.pairs()) {
    add(pair.statement);
    add(pair.before);
  }
  return described;
}

}  // namespace heddle
