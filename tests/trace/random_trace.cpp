#include "random_trace.h"

#include <algorithm>
#include <random>
#include <string>

#include "trace/hash.h"

namespace heddle::trace {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : engine_(seed) {}

  // Not std::uniform_int_distribution: its results differ between libraries.
  uint64_t below(uint64_t end) { return engine_() % end; }
  uint32_t index(size_t count) { return static_cast<uint32_t>(below(count)); }
  uint64_t number() { return engine_() >> below(64); }
  bool coin() { return below(2) == 0; }

  // Any bytes but NUL, now and then a plain word.
  std::string text() {
    std::string text(below(12), '\0');
    const bool plain = coin();
    for (char& c : text) {
      c = static_cast<char>(plain ? 'a' + below(26) : 1 + below(255));
    }
    return text;
  }

  TraceTables tables() {
    TraceTables t;
    for (size_t i = below(6); i > 0; --i) {
      offsets_.push_back(t.add_string(text()));
    }
    offsets_.push_back(0);
    for (size_t i = 1 + below(3); i > 0; --i) {
      t.modules.push_back({string(), string(), number()});
    }
    const size_t sites = 1 + below(20), contexts = 1 + below(10), objects = 1 + below(10);
    for (uint32_t i = 0; i < sites; ++i) {
      t.sites.push_back({number(), index(t.modules.size()), 0});
    }
    for (uint32_t i = 0; i < contexts; ++i) {
      t.contexts.push_back({i == 0 ? 0 : index(i), index(sites)});
    }
    for (uint32_t i = 0; i < 1 + below(6); ++i) {
      t.threads.push_back({i == 0 ? 0 : index(i), i, index(sites), index(contexts), string(),
                           static_cast<uint32_t>(number())});
    }
    const size_t threads = t.threads.size();
    for (size_t i = 0; i < objects; ++i) {
      const auto kind = static_cast<ObjectKind>(below(8));
      const size_t owners = kind == ObjectKind::kGlobal ? t.modules.size() : threads;
      t.objects.push_back({kind, index(owners), index(sites), index(contexts), number(), number()});
    }
    for (size_t i = below(20); i > 0; --i) {
      t.steps.push_back({index(threads),
                         static_cast<StepKind>(below(static_cast<uint64_t>(StepKind::kCount))), 1 + index(9),
                         0});
      t.coverage.push_back(
          {static_cast<uint16_t>(index(threads)), static_cast<uint16_t>(below(2)), index(sites)});
      t.points.push_back({number(), number(), index(64), static_cast<PointKind>(below(4)),
                          static_cast<PointGrade>(below(2))});
      t.choices.push_back({number(), 0, 1, index(threads), StepKind::kRun, 0});
    }
    for (size_t i = below(200); i > 0; --i) {
      EventRecord made = event(threads, sites, contexts, objects);
      // An access to a block is an access within it.
      const ObjectRecord& object = t.objects[made.object];
      if (object.kind == ObjectKind::kHeap && object.size != 0) made.offset %= object.size;
      t.events.push_back(made);
    }
    t.events_dropped = coin() ? 0 : number() / 4;
    t.events_lost = coin() ? 0 : number() / 4;
    for (size_t i = below(3); i > 0; --i) {
      BlockedRecord blocked{};
      blocked.thread = index(threads);
      blocked.wait = static_cast<WaitKind>(below(12));
      blocked.object = index(objects);
      blocked.site = index(sites);
      blocked.holder = index(threads + 1);
      blocked.early_notifier = index(threads + 1);
      blocked.early_event = t.events.empty() ? 0 : below(t.events.size());
      t.blocked.push_back(blocked);
    }
    t.outcome.kind = static_cast<OutcomeKind>(below(static_cast<uint64_t>(OutcomeKind::kCount)));
    t.outcome.thread = index(threads);
    t.outcome.fault_address = number();
    t.outcome.stack_size = index(kMaxOutcomeStack + 1);
    for (uint32_t i = 0; i < t.outcome.stack_size; ++i) {
      t.outcome.stack[i] = index(sites);
    }
    const std::string message = text();
    std::copy(message.begin(), message.end(), t.outcome.message);
    return t;
  }

 private:
  uint32_t string() { return offsets_[below(offsets_.size())]; }

  EventRecord event(size_t threads, size_t sites, size_t contexts, size_t objects) {
    EventRecord event{};
    event.thread = index(threads);
    event.site = index(sites);
    event.context = index(contexts);
    event.object = index(objects);
    event.offset = number();
    event.kind = static_cast<EventKind>(1 + below(static_cast<uint64_t>(EventKind::kCount) - 1));
    event.peer = index(threads);
    event.order = static_cast<uint8_t>(below(6));
    event.flags = static_cast<uint16_t>(number());
    return event;
  }

  std::mt19937_64 engine_;
  std::vector<uint32_t> offsets_;
};

}  // namespace

Trace random_trace(uint64_t seed) {
  Generator random(seed);
  Trace trace = Trace::from_tables(random.tables());
  std::vector<std::string> command;
  for (size_t i = random.below(4); i > 0; --i) {
    command.push_back('.' + random.text());
  }
  trace.describe(std::move(command), random.text());
  return trace;
}

Schedule random_schedule(uint64_t seed) {
  Generator random(seed);
  Schedule schedule;
  schedule.build_id = random.text();
  schedule.command.push_back(random.text());
  for (size_t i = random.below(4); i > 0; --i) {
    schedule.command.push_back(random.text());
  }
  schedule.directory = random.text();
  schedule.policy = random.coin() ? "random seed 7" : random.text();
  schedule.then.kind = static_cast<PolicyKind>(random.below(static_cast<uint64_t>(PolicyKind::kCount)));
  schedule.then.depth = schedule.then.kind == PolicyKind::kPct ? 1 + random.index(9) : 0;
  schedule.then.seed = random.coin() ? 0 : random.number();
  if (random.coin()) {
    schedule.failure = static_cast<OutcomeKind>(random.below(static_cast<uint64_t>(OutcomeKind::kCount)));
    schedule.message = random.text();
  }
  schedule.max_steps = random.number();
  schedule.spin_parking = random.coin();
  for (size_t i = random.below(20); i > 0; --i) {
    const uint32_t size = static_cast<uint32_t>(schedule.threads.size());
    const uint32_t thread =
        random.coin() ? random.index(size) : schedule.threads.child(random.index(size), 1 + random.index(4));
    schedule.add(static_cast<StepKind>(random.below(static_cast<uint64_t>(StepKind::kCount))), thread,
                 1 + random.index(100));
  }
  for (size_t i = random.below(20); i > 0; --i) {
    PointRecord point{random.number(), random.number(), random.index(64),
                      static_cast<PointKind>(random.below(4)), static_cast<PointGrade>(random.below(2))};
    const uint32_t thread = random.index(schedule.threads.size());
    const std::string owner = point.kind == PointKind::kStack ? schedule.threads.name(thread) : random.text();
    if (point.kind == PointKind::kUnknown) {
      point.key = 0;
    } else if (point.kind != PointKind::kHeap && random.coin()) {
      point.key = fnv1a(owner);
      schedule.key_names[point.key] = owner;
    }
    schedule.points.push_back(point);
  }
  return schedule;
}

}  // namespace heddle::trace
