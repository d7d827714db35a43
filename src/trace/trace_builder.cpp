#include "trace/trace_builder.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "support/check.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

using Thread = TraceBuilder::Thread;

// Sites of events without a number of their own; far above any that a person writes.
constexpr uint64_t kAutomaticSites = uint64_t{1} << 32;

// A program of this size has room for every global that a hand-written trace declares.
constexpr uint64_t kModuleSize = 1 << 20;

bool is_access(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kAlloc:
    case EventKind::kFree:
    case EventKind::kAccess:
      return true;
    default:
      return false;
  }
}

}  // namespace

TraceBuilder::TraceBuilder(std::string_view program, std::string_view build_id) {
  tables_.modules.push_back(
      {.path = tables_.add_string(program), .build_id = tables_.add_string(build_id), .size = kModuleSize});
  tables_.sites.push_back({});
  tables_.contexts.push_back({});
  tables_.objects.push_back({});
  globals_object_ = add_object(ObjectKind::kGlobal, 0, kModuleSize);
  add_thread(0);
}

uint32_t TraceBuilder::add_thread(uint32_t parent) {
  const auto index = static_cast<uint32_t>(tables_.threads.size());
  ThreadRecord record{};
  if (index != 0) {
    record.parent = parent;
    record.ordinal = ++threads_[parent].children;
  }
  tables_.threads.push_back(record);
  threads_.push_back({.object = add_object(ObjectKind::kThread, index, 0)});
  return index;
}

uint32_t TraceBuilder::add_object(ObjectKind kind, uint32_t owner, uint64_t size) {
  ObjectRecord object{};
  object.kind = kind;
  object.owner = owner;
  object.size = size;
  object.identity = tables_.objects.size();
  tables_.objects.push_back(object);
  return static_cast<uint32_t>(tables_.objects.size() - 1);
}

TraceBuilder::Location TraceBuilder::global(uint32_t size) {
  const Location location{globals_object_, globals_used_, size};
  globals_used_ += (size + 7) / 8 * 8;
  return location;
}

TraceBuilder::Location TraceBuilder::stack(Thread owner, uint32_t size) {
  ThreadState& state = threads_[owner.index()];
  if (state.stack_object == 0) {
    state.stack_object = add_object(ObjectKind::kStack, owner.index(), kModuleSize);
  }
  state.stack_used += (size + 7) / 8 * 8;
  return {state.stack_object, kStackTop - state.stack_used, size};
}

uint32_t TraceBuilder::site(uint64_t number) {
  const auto [site, is_new] = sites_.try_emplace(number, static_cast<uint32_t>(tables_.sites.size()));
  if (is_new) {
    tables_.sites.push_back({.offset = number, .module = 0, .reserved = 0});
  }
  return site->second;
}

TraceBuilder& TraceBuilder::outcome(OutcomeKind kind, Thread thread, std::string_view message) {
  tables_.outcome.kind = kind;
  tables_.outcome.thread = thread.index();
  HEDDLE_CHECK(message.size() < kMaxOutcomeMessage);
  std::fill(std::begin(tables_.outcome.message), std::end(tables_.outcome.message), '\0');
  std::copy(message.begin(), message.end(), tables_.outcome.message);
  return *this;
}

TraceBuilder& TraceBuilder::describe(std::vector<std::string> command, std::string policy) {
  command_ = std::move(command);
  policy_ = std::move(policy);
  return *this;
}

Trace TraceBuilder::build() const {
  TraceTables tables = tables_;
  uint64_t number = 0;
  for (EventRecord& event : tables.events) {
    event.flags |= event_flag::kPoint;
    if (event.site == 0) {
      event.site = static_cast<uint32_t>(tables.sites.size());
      tables.sites.push_back({.offset = kAutomaticSites + number, .module = 0, .reserved = 0});
    }
    if (tables.steps.empty() || tables.steps.back().thread != event.thread) {
      tables.steps.push_back({.thread = event.thread, .kind = StepKind::kRun, .count = 0, .reserved = 0});
    }
    ++tables.steps.back().count;
    ++number;
  }
  tables.outcome.steps = number;
  Trace trace = Trace::from_tables(std::move(tables));
  trace.describe(command_, policy_);
  if (const auto damage = validate(trace)) {
    fmt::print(stderr, "TraceBuilder: {}\n", damage->text());
    HEDDLE_CHECK(!damage);
  }
  return trace;
}

EventRecord& Thread::append(EventKind kind, Location where) {
  TraceBuilder& builder = *builder_;
  HEDDLE_CHECK(!builder.threads_[index_].ended);
  EventRecord event{};
  event.thread = index_;
  event.context = builder.threads_[index_].context;
  event.object = where.object;
  event.offset = where.offset;
  event.size = is_access(kind) ? where.size : 0;
  event.kind = kind;
  builder.threads_[index_].operation = builder.tables_.events.size();
  builder.tables_.events.push_back(event);
  return builder.tables_.events.back();
}

Thread& Thread::access(EventKind kind, Location where) {
  append(kind, where);
  return *this;
}

Thread& Thread::atomic(EventKind kind, Location where, MemoryOrder order) {
  append(kind, where).order = static_cast<uint8_t>(order);
  return *this;
}

Thread& Thread::event(EventKind kind, Location where, uint32_t peer) {
  EventRecord& record = append(kind, where);
  if (!is_access(kind)) {
    record.peer = peer;
  }
  return *this;
}

Thread& Thread::event(EventKind kind) {
  return event(kind, {});
}

Thread Thread::fork() {
  const uint32_t child = builder_->add_thread(index_);
  event(EventKind::kFork, builder_->thread_location(child), child);
  Thread handle(builder_, child);
  handle.append(EventKind::kThreadBegin, builder_->thread_location(child));
  return handle;
}

Thread& Thread::join(Thread other) {
  if (!builder_->threads_[other.index_].ended) {
    other.end();
  }
  return event(EventKind::kJoin, builder_->thread_location(other.index_), other.index_);
}

Thread& Thread::end() {
  append(EventKind::kThreadEnd, builder_->thread_location(index_));
  builder_->threads_[index_].ended = true;
  return *this;
}

Thread& Thread::atomic_read(Location where, MemoryOrder order) {
  return atomic(EventKind::kAtomicRead, where, order);
}

Thread& Thread::atomic_write(Location where, MemoryOrder order) {
  return atomic(EventKind::kAtomicWrite, where, order);
}

Thread& Thread::atomic_update(Location where, MemoryOrder order) {
  return atomic(EventKind::kAtomicUpdate, where, order);
}

Thread& Thread::fence(MemoryOrder order) {
  return atomic(EventKind::kFence, {}, order);
}

Thread& Thread::cond_wait(Location condition, Location mutex) {
  event(EventKind::kCondWait, condition);
  return together_with(EventKind::kUnlock, mutex);
}

Thread& Thread::cond_wake(Location condition, Location mutex, Thread notifier) {
  event(EventKind::kCondWake, condition, notifier.index_ + 1);
  return together_with(EventKind::kLock, mutex);
}

Thread& Thread::cond_time_out(Location condition, Location mutex) {
  event(EventKind::kCondWake, condition).timed_out();
  return together_with(EventKind::kLock, mutex);
}

// One more event of the operation that the last event belongs to.
Thread& Thread::together_with(EventKind kind, Location where) {
  const size_t operation = builder_->threads_[index_].operation;
  append(kind, where);
  builder_->threads_[index_].operation = operation;
  return *this;
}

Thread& Thread::notify_one(Location condition, uint32_t woken) {
  return event(EventKind::kNotifyOne, condition, woken);
}

Thread& Thread::notify_all(Location condition, uint32_t woken) {
  return event(EventKind::kNotifyAll, condition, woken);
}

TraceBuilder::Location Thread::allocate(uint32_t size) {
  const Location object{builder_->add_object(ObjectKind::kHeap, 0, size), 0, size};
  append(EventKind::kAlloc, object);
  return object;
}

Thread& Thread::at(uint64_t site_number) {
  const uint32_t site = builder_->site(site_number);
  for_operation([&](EventRecord& event) {
    event.site = site;
    // What came into being at this event did so at its site.
    if (event.kind == EventKind::kAlloc) {
      builder_->tables_.objects[event.object].site = site;
    } else if (event.kind == EventKind::kFork) {
      builder_->tables_.threads[event.peer].create_site = site;
    }
  });
  return *this;
}

Thread& Thread::flag(uint16_t flags) {
  for_operation([&](EventRecord& event) { event.flags |= flags; });
  return *this;
}

// Events of other threads may have come since: a fork is followed by the first event of the child.
template <typename Action>
void Thread::for_operation(Action action) {
  auto& events = builder_->tables_.events;
  for (size_t i = builder_->threads_[index_].operation; i < events.size(); ++i) {
    if (events[i].thread == index_) {
      action(events[i]);
    }
  }
}

Thread& Thread::call(uint64_t site_number) {
  TraceBuilder& builder = *builder_;
  uint32_t& current = builder.threads_[index_].context;
  const uint32_t call_site = builder.site(site_number);
  const auto [context, is_new] = builder.contexts_.try_emplace(
      {current, call_site}, static_cast<uint32_t>(builder.tables_.contexts.size()));
  if (is_new) {
    builder.tables_.contexts.push_back({current, call_site});
  }
  current = context->second;
  return *this;
}

Thread& Thread::leave() {
  uint32_t& current = builder_->threads_[index_].context;
  HEDDLE_CHECK(current != 0);
  current = builder_->tables_.contexts[current].parent;
  return *this;
}

}  // namespace heddle::trace
