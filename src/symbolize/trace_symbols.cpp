#include "symbolize/trace_symbols.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "trace/std_text.h"

namespace heddle {
namespace {

using trace::ContextRecord;
using trace::ObjectKind;
using trace::ObjectRecord;
using trace::SiteRecord;

// A deeper stack is a runaway recursion; its innermost frames tell as much.
constexpr size_t kMaxFrames = 256;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_runtime_function(std::string_view function) {
  return function.starts_with("__tsan_");
}

bool is_system_path(std::string_view path) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"/usr/include/", "/usr/lib", "/lib/", "/lib64/",
                                                         "/usr/local/include/c++/"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return path.starts_with(prefix); });
}

// Lines that are asked what they call a location; the last ones are about the failure.
constexpr size_t kMaxLinesOfUses = 8;

// Not so the copying of blocks, whose lines name the whole, and the life of objects and threads.
bool names_its_object(const trace::EventRecord& event) {
  using trace::EventKind;
  if ((event.flags & trace::event_flag::kRange) != 0) return false;
  switch (event.kind) {
    case EventKind::kAlloc:
    case EventKind::kFree:
    case EventKind::kFork:
    case EventKind::kJoin:
    case EventKind::kThreadBegin:
    case EventKind::kThreadEnd:
    case EventKind::kAccess:
    case EventKind::kExit:
      return false;
    default:
      return true;
  }
}

// A call of a function, and where it is in it.
struct Activation {
  uint32_t site = 0;
  uint32_t context = 0;
};

std::string with_article(const std::string& noun) {
  constexpr std::string_view kVowels = "AEIOUaeiou";
  return (kVowels.find(noun.front()) == std::string_view::npos ? "a " : "an ") + noun;
}

std::string signed_offset(uint64_t offset) {
  return offset == 0 ? "" : fmt::format("+{}", offset);
}

}  // namespace

bool is_runtime_module(std::string_view path) {
  std::string_view name = base_name(path);
  return name.starts_with("libheddle_rt") || name.starts_with("libtsan.so") ||
         name.starts_with("libclang_rt.tsan");
}

bool is_of_driver(const Frame& frame) {
  return frame.file.ends_with("/heddle/outcome.h") ||
         frame.file.find("/heddle/driver/") != std::string::npos ||
         frame.function.starts_with("heddle_driver") || frame.function.starts_with("heddle_call_");
}

// Some standard libraries live elsewhere: the path to their headers is "…/include/c++/12/bits/std_mutex.h".
bool is_user_frame(const Frame& frame, std::string_view module_path) {
  // The C library's start-up code is linked into every program.
  return frame.function != "_start" && !is_system_path(module_path) && !is_system_path(frame.file) &&
         frame.file.find("/include/c++/") == std::string::npos && !is_of_driver(frame);
}

TraceSymbols::TraceSymbols(const trace::Trace& trace, Symbolizer& symbolizer)
    : trace_(trace), symbolizer_(symbolizer), uses_(trace) {}

ModuleName TraceSymbols::module_name(uint32_t module) const {
  if (module >= trace_.modules().size()) return {};
  const trace::ModuleRecord& record = trace_.modules()[module];
  return {std::string(trace_.string(record.path)), std::string(trace_.string(record.build_id))};
}

void TraceSymbols::append_site(uint32_t site, std::vector<StackFrame>& stack) const {
  if (site == 0 || site >= trace_.sites().size()) return;
  if (const std::optional<std::string_view> text = trace::std_site(trace_, site)) {
    Frame frame;
    frame.function = *text;
    stack.push_back({std::move(frame), /*is_user_code=*/true});
    return;
  }
  const SiteRecord& record = trace_.sites()[site];
  ModuleName module = module_name(record.module);
  if (is_runtime_module(module.path)) return;
  for (const Frame& frame : symbolizer_.code(module, record.offset)) {
    if (is_runtime_function(frame.function)) continue;
    stack.push_back({frame, is_user_frame(frame, module.path)});
  }
}

std::vector<StackFrame> TraceSymbols::stack(uint32_t site, uint32_t context) const {
  std::vector<StackFrame> stack;
  append_site(site, stack);
  while (context != 0 && context < trace_.contexts().size() && stack.size() < kMaxFrames) {
    const ContextRecord& record = trace_.contexts()[context];
    append_site(record.call_site, stack);
    context = record.parent;
  }
  return stack;
}

std::vector<StackFrame> TraceSymbols::outcome_stack() const {
  const trace::OutcomeRecord& outcome = trace_.outcome();
  std::vector<StackFrame> walked;
  size_t depth = std::min<size_t>(outcome.stack_size, trace::kMaxOutcomeStack);
  for (size_t i = 0; i < depth; ++i) append_site(outcome.stack[i], walked);
  return walked.empty() ? stack(outcome.site, outcome.context) : walked;
}

const StackFrame& TraceSymbols::interest(uint32_t site, uint32_t context) {
  auto [entry, is_new] = lines_.try_emplace({site, context});
  if (is_new) {
    std::vector<StackFrame> frames = stack(site, context);
    auto is_user = [](const StackFrame& f) { return f.is_user_code; };
    auto has_line = [](const StackFrame& f) { return f.is_user_code && !f.frame.file.empty(); };
    auto found = std::find_if(frames.begin(), frames.end(), has_line);
    if (found == frames.end()) found = std::find_if(frames.begin(), frames.end(), is_user);
    if (found == frames.end()) found = frames.begin();
    if (found != frames.end()) entry->second = std::move(*found);
  }
  return entry->second;
}

bool TraceSymbols::is_in_system_library(uint32_t site) const {
  if (site == 0 || site >= trace_.sites().size()) return false;
  std::string path = module_name(trace_.sites()[site].module).path;
  return is_system_path(path) || is_runtime_module(path);
}

bool TraceSymbols::is_thread_state(uint32_t object) const {
  if (object == 0 || object >= trace_.objects().size()) return false;
  const ObjectRecord& record = trace_.objects()[object];
  if (record.kind != ObjectKind::kHeap) return false;
  std::vector<StackFrame> allocation = stack(record.site, record.context);
  for (const StackFrame& frame : allocation) {
    if (frame.is_user_code) return false;
    // gcc does not say of what class an inlined constructor is.
    if (frame.frame.function.starts_with("std::thread::") || frame.frame.file.ends_with("/std_thread.h"))
      return true;
  }
  return false;
}

std::string TraceSymbols::site_text(uint32_t site, uint32_t context) {
  const Frame& frame = line_of_interest(site, context);
  if (frame.file.empty()) return frame.function;
  return fmt::format("{} {}", frame.function, file_position(frame));
}

// The line of an event, as one that uses the event's location.
std::optional<LocationUse> TraceSymbols::use_by(const trace::EventRecord& event) {
  const Frame& frame = line_of_interest(event.site, event.context);
  if (frame.file.empty() || event.site >= trace_.sites().size()) return std::nullopt;
  const std::optional<std::string_view> source = sources.line(frame.file, frame.line);
  if (!source) return std::nullopt;
  const SiteRecord& site = trace_.sites()[event.site];
  return LocationUse{*source, event.kind, event.size,
                     &symbolizer_.names_at(module_name(site.module), site.offset)};
}

const StackNames& TraceSymbols::names_on_stack(uint32_t object) {
  const auto known = stacks_.find(object);
  return known != stacks_.end() ? known->second : stacks_.emplace(object, read_stack(object)).first->second;
}

StackNames TraceSymbols::read_stack(uint32_t object) {
  StackNames names;
  const uint32_t owner = trace_.objects()[object].owner;
  Activation where;  // of the owner, at the time
  std::set<std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>> seen;
  for (const trace::EventRecord& event : trace_.events()) {
    if (event.thread == owner && event.site != 0) where = {event.site, event.context};
    if (event.object != object || !names_its_object(event)) continue;
    if (!seen.insert({event.offset, event.site, event.context, where.context}).second) continue;
    const std::optional<LocationUse> use = use_by(event);
    if (!use) continue;
    // The functions that were active on that stack, from the innermost to the outermost.
    Activation frame = where;
    for (size_t depth = 0; depth < kMaxFrames && frame.site != 0; ++depth) {
      if (frame.site >= trace_.sites().size() || frame.context >= trace_.contexts().size()) break;
      const SiteRecord& site = trace_.sites()[frame.site];
      const auto& parts = symbolizer_.frame_at(module_name(site.module), site.offset);
      if (!parts.empty()) names.add(frame.context, &parts, {event.offset, *use});
      if (frame.context == 0) break;
      const ContextRecord& record = trace_.contexts()[frame.context];
      frame = {record.call_site, record.parent};
    }
  }
  names.fit();
  return names;
}

// What the lines that used a location call it.
std::optional<LocationName> TraceSymbols::location_name(uint32_t object, uint64_t offset) {
  std::vector<LocationUse> uses;
  std::set<std::pair<std::string, uint32_t>> lines;
  for (const uint64_t i : uses_.at(object, offset)) {
    if (lines.size() == kMaxLinesOfUses) break;
    const trace::EventRecord& event = trace_.events()[i];
    if (!names_its_object(event)) continue;
    const Frame& frame = line_of_interest(event.site, event.context);
    if (frame.file.empty() || !lines.insert({frame.file, frame.line}).second) continue;
    if (const std::optional<LocationUse> use = use_by(event)) uses.push_back(*use);
  }
  return choose_location_name(uses, trace_.objects()[object], offset);
}

std::string TraceSymbols::heap_text(const ObjectRecord& record, uint64_t offset,
                                    const std::optional<LocationName>& name) {
  const bool is_whole = name && name->fills_object && !name->owner.empty();
  std::string object = fmt::format("the {}-byte {}", record.size, is_whole ? name->owner : "object");
  const Frame& line = line_of_interest(record.site, record.context);
  if (!line.function.empty()) object += fmt::format(" allocated at {} by {}", file_line(line), line.function);
  if (is_whole) return fmt::format("`{}` of {}", name->name, object);
  if (name && !name->owner.empty())
    return fmt::format("`{}` of {} in {}", name->name, with_article(name->owner), object);
  if (name) return fmt::format("`{}` in {}", name->name, object);
  return offset == 0 ? object : fmt::format("field at +{} of {}", offset, object);
}

std::optional<Variable> TraceSymbols::variable_at(uint32_t object, uint64_t offset) {
  if (object == 0 || object >= trace_.objects().size() || trace::std_object(trace_, object))
    return std::nullopt;
  const ObjectRecord& record = trace_.objects()[object];
  if (record.kind == ObjectKind::kGlobal) return symbolizer_.variable(module_name(record.owner), offset);
  if (record.kind != ObjectKind::kStack) return std::nullopt;
  const std::optional<LocationName> name = location_name(object, offset);
  if (!name || name->owner.empty() || name->owner_size == 0) return std::nullopt;
  return Variable{"", name->owner_offset, name->owner_size};
}

std::string TraceSymbols::variable_name(uint32_t object, uint64_t offset) {
  if (object == 0 || object >= trace_.objects().size()) return "";
  if (const std::optional<std::string_view> name = trace::std_object(trace_, object))
    return std::string(*name);
  const ObjectRecord& record = trace_.objects()[object];
  if (record.kind == ObjectKind::kGlobal) {
    const std::optional<Variable> variable = symbolizer_.data(module_name(record.owner), offset);
    return variable ? variable->name : "";
  }
  if (record.kind != ObjectKind::kHeap && record.kind != ObjectKind::kStack) return "";
  if (record.kind == ObjectKind::kStack) {
    if (const std::optional<std::string> variable = names_on_stack(object).name_at(offset)) return *variable;
  }
  const std::optional<LocationName> name = location_name(object, offset);
  if (!name) return "";
  return name->owner.empty() ? name->name : name->owner + "::" + name->name;
}

std::string TraceSymbols::location_text(uint32_t object, uint64_t offset) {
  if (object == 0 || object >= trace_.objects().size()) return "memory not known";
  if (trace::std_object(trace_, object)) return fmt::format("`{}`", location_label(object, offset));
  const ObjectRecord& record = trace_.objects()[object];
  switch (record.kind) {
    case ObjectKind::kGlobal:
      return fmt::format("`{}`", location_label(object, offset));
    case ObjectKind::kHeap:
      return heap_text(record, offset, location_name(object, offset));
    case ObjectKind::kStack: {
      if (const std::optional<std::string> variable = names_on_stack(object).name_at(offset))
        return fmt::format("`{}` on the stack of {}", *variable, thread_text(record.owner));
      const std::optional<LocationName> name = location_name(object, offset);
      if (!name) return fmt::format("a variable on the stack of {}", thread_text(record.owner));
      const std::string of = name->owner.empty() ? "" : " of " + with_article(name->owner);
      return fmt::format("`{}`{} on the stack of {}", name->name, of, thread_text(record.owner));
    }
    case ObjectKind::kThread:
      return fmt::format("thread {}", thread_text(record.owner));
    case ObjectKind::kMapping:
      return fmt::format("byte {} of mapping {}", offset, record.identity);
    case ObjectKind::kDescriptor:
      return fmt::format("descriptor {}", record.owner);
    case ObjectKind::kAtomicSet:
      return fmt::format("atomic set {}", trace_.string(record.owner));
    case ObjectKind::kNone:
    case ObjectKind::kUnknown:
      break;
  }
  return fmt::format("memory at {:#x}", offset);
}

std::string TraceSymbols::location_label(uint32_t object, uint64_t offset) const {
  if (object == 0 || object >= trace_.objects().size()) return "-";
  if (const std::optional<std::string_view> name = trace::std_object(trace_, object))
    return std::string(*name);
  const ObjectRecord& record = trace_.objects()[object];
  switch (record.kind) {
    case ObjectKind::kGlobal: {
      ModuleName module = module_name(record.owner);
      std::optional<Variable> variable = symbolizer_.data(module, offset);
      return variable ? variable->name + signed_offset(variable->offset)
                      : module_offset_text(module.path, offset);
    }
    case ObjectKind::kHeap:
      return fmt::format("heap#{}{}", record.identity, signed_offset(offset));
    case ObjectKind::kStack:
      return fmt::format("stack({})-{}", trace_.thread_name(record.owner), trace::kStackTop - offset);
    case ObjectKind::kThread:
      return fmt::format("thread({})", trace_.thread_name(record.owner));
    case ObjectKind::kMapping:
      return fmt::format("mapping#{}{}", record.identity, signed_offset(offset));
    case ObjectKind::kDescriptor:
      return fmt::format("descriptor({})#{}", record.owner, record.identity);
    case ObjectKind::kAtomicSet:
      return fmt::format("{} in set({})", location_label(static_cast<uint32_t>(record.identity), offset),
                         trace_.string(record.owner));
    case ObjectKind::kNone:
    case ObjectKind::kUnknown:
      break;
  }
  return fmt::format("{:#x}", offset);
}

std::string TraceSymbols::location_identity(uint32_t object, uint64_t offset) {
  if (object == 0 || object >= trace_.objects().size()) return "none";
  if (const std::optional<std::string_view> name = trace::std_object(trace_, object))
    return std::string(*name);
  const ObjectRecord& record = trace_.objects()[object];
  switch (record.kind) {
    case ObjectKind::kGlobal: {
      std::optional<Variable> variable = symbolizer_.data(module_name(record.owner), offset);
      return variable ? variable->name + signed_offset(variable->offset) : "global";
    }
    case ObjectKind::kHeap:
      return fmt::format("heap {}+{}", function_identity(record.site, record.context), offset);
    case ObjectKind::kStack: {
      const std::optional<std::string> variable = names_on_stack(object).name_at(offset);
      return variable ? "stack " + *variable : "stack";
    }
    case ObjectKind::kThread:
      return "thread";
    case ObjectKind::kMapping:
      return "mapping";
    case ObjectKind::kDescriptor:
      return "descriptor";
    case ObjectKind::kAtomicSet:
      return fmt::format("atomic set {}", trace_.string(record.owner));
    case ObjectKind::kNone:
    case ObjectKind::kUnknown:
      break;
  }
  return "memory";
}

std::string TraceSymbols::function_identity(uint32_t site, uint32_t context) {
  const std::string& function = line_of_interest(site, context).function;
  return function.substr(0, function.find("+0x"));
}

std::string TraceSymbols::thread_text(uint32_t thread) const {
  std::string path = trace_.thread_name(thread);
  if (thread >= trace_.threads().size()) return path;
  std::string_view name = trace_.string(trace_.threads()[thread].name);
  return name.empty() ? path : fmt::format("{} ({})", path, name);
}

std::vector<std::string> TraceSymbols::problems() const {
  std::vector<bool> used(trace_.modules().size());
  for (size_t i = 1; i < trace_.sites().size(); ++i) {
    if (trace::std_site(trace_, static_cast<uint32_t>(i))) return {};
    if (trace_.sites()[i].module < used.size()) used[trace_.sites()[i].module] = true;
  }
  std::vector<std::string> sentences;
  for (uint32_t module = 0; module < used.size(); ++module) {
    if (!used[module]) continue;
    std::string problem = symbolizer_.problem(module_name(module));
    if (!problem.empty()) sentences.push_back(std::move(problem));
  }
  return sentences;
}

std::string file_position(const Frame& frame) {
  if (frame.file.empty() || frame.column == 0) return file_line(frame);
  return fmt::format("{}:{}", file_line(frame), frame.column);
}

std::string file_line(const Frame& frame) {
  if (frame.file.empty()) return frame.function;
  return fmt::format("{}:{}", base_name(frame.file), frame.line);
}

}  // namespace heddle
