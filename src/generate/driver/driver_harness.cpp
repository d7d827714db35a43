// The harness of a driver: reads a plan, makes its calls and writes down what they give.
//
// Not instrumented, and careful not to be seen: it makes its system calls itself and copies bytes itself,
// since the runtime stands in for those functions of the C library. So no access, no order between threads
// and no scheduling point is its own, but for the beginning and end of threads.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver_interface.h"
#include "driver_protocol.h"

namespace {

using namespace heddle::generate;

struct SavedResult {
  int kind;
  void* value;
  void* owner;
  void (*destroy)(void* owner);
};

}  // namespace

struct HeddleDriverThread {
  uint32_t number;  // 0 is main
  uint32_t first;   // calls of the plan
  uint32_t count;
  CallRecord* call;  // the one that it makes
  SavedResult saved[kMaxCalls];
  uint32_t saved_count;
};

namespace {

constexpr uint32_t kMaxFixtures = 512;

PlanFile own_file;  // for a plan that is given as a text
PlanFile* file = nullptr;
bool explains = false;
HeddleDriverThread threads[kMaxThreads + 1];
HeddleDriverPlace place;
HeddleDriverPlace other_place;
CallRecord* state_record = nullptr;  // of the state that is being read
void* fixtures[kMaxFixtures];

long system_call(long number, long first, long second = 0, long third = 0, long fourth = 0, long fifth = 0,
                 long sixth = 0) {
  register long r10 asm("r10") = fourth;
  register long r8 asm("r8") = fifth;
  register long r9 asm("r9") = sixth;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

uint32_t length_of(const char* text) {
  uint32_t length = 0;
  while (*const_cast<const volatile char*>(text + length) != '\0') ++length;
  return length;
}

void say(int descriptor, const char* text) {
  system_call(SYS_write, descriptor, reinterpret_cast<long>(text), length_of(text));
}

void say_number(int descriptor, uint32_t number) {
  char digits[12];
  int at = sizeof digits - 1;
  digits[at] = '\0';
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  say(descriptor, digits + at);
}

[[noreturn]] void refuse(const char* what, const char* of_what = "", uint32_t line = 0) {
  say(2, what);
  say(2, of_what);
  if (line != 0) {
    say(2, ", line ");
    say_number(2, line);
  }
  say(2, "\n");
  std::exit(2);
}

// Maps a file; what is written is seen by others only if it is shared.
char* map(const char* name, bool shared, long* size) {
  const long descriptor = system_call(SYS_open, reinterpret_cast<long>(name), shared ? O_RDWR : O_RDONLY);
  if (descriptor < 0) refuse("cannot open the plan ", name);
  *size = system_call(SYS_lseek, descriptor, 0, SEEK_END);
  if (*size <= 0) refuse("there is nothing in the plan ", name);
  const long memory = system_call(SYS_mmap, 0, *size, PROT_READ | PROT_WRITE,
                                  shared ? MAP_SHARED : MAP_PRIVATE, descriptor, 0);
  system_call(SYS_close, descriptor);
  if (memory < 0) refuse("cannot read the plan ", name);
  return reinterpret_cast<char*>(memory);
}

// The text of a plan: a line for each of its parts, `constructor 0`, `before 3 4`, `thread 5 6`, `after 7`,
// `state`; what stands behind # is for people. See plan_text.h.
class PlanText {
 public:
  PlanText(const char* name, const char* text, long size) : name_(name), at_(text), end_(text + size) {}

  void read(PlanRecord* plan) {
    bool is_first = true;
    for (; at_ < end_; ++line_, ++at_) {
      skip_blanks();
      if (is_at_end_of_line()) {
        skip_line();
        continue;
      }
      const Word word = next_word();
      if (is_first && !is(word, "constructor"))
        refuse("the plan must begin with its constructor: ", name_, line_);
      is_first = false;
      read_part(word, plan);
      if (!is_at_end_of_line()) refuse("not the number of a call: ", name_, line_);
      skip_line();
    }
    if (is_first) refuse("there is nothing in the plan ", name_);
  }

 private:
  struct Word {
    const char* text;
    uint32_t length;
  };

  void read_part(const Word& word, PlanRecord* plan) {
    if (is(word, "constructor")) {
      skip_blanks();
      if (!is_digit()) refuse("which constructor? ", name_, line_);
      plan->constructor = number();
      skip_blanks();
    } else if (is(word, "before")) {
      if (plan->threads != 0 || plan->after != 0)
        refuse("these calls come before the threads': ", name_, line_);
      plan->before += calls(plan);
    } else if (is(word, "thread")) {
      if (plan->threads == kMaxThreads || plan->after != 0)
        refuse("one to three threads can stand here: ", name_, line_);
      const uint32_t thread = plan->threads++;
      plan->of_thread[thread] = calls(plan);
    } else if (is(word, "after")) {
      plan->after += calls(plan);
    } else if (is(word, "state")) {
      plan->wants_state = 1;
      skip_blanks();
    } else {
      refuse("neither constructor, before, thread, after nor state: ", name_, line_);
    }
  }

  uint32_t calls(PlanRecord* plan) {
    uint32_t count = 0;
    for (skip_blanks(); is_digit(); skip_blanks(), ++count) {
      if (total_ == kMaxCalls) refuse("too many calls: ", name_, line_);
      plan->operations[total_++] = number();
    }
    return count;
  }

  bool is_digit() const { return at_ < end_ && *at_ >= '0' && *at_ <= '9'; }
  bool is_at_end_of_line() const { return at_ == end_ || *at_ == '\n' || *at_ == '#'; }
  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  void skip_line() {
    while (at_ < end_ && *at_ != '\n') ++at_;
  }
  uint32_t number() {
    uint32_t value = 0;
    for (; is_digit(); ++at_)
      value = value < 100'000'000 ? value * 10 + static_cast<uint32_t>(*at_ - '0') : value;
    return value;
  }
  Word next_word() {
    Word word{at_, 0};
    for (; at_ < end_ && *at_ >= 'a' && *at_ <= 'z'; ++at_) ++word.length;
    return word;
  }
  static bool is(const Word& word, const char* text) {
    return word.length == std::strlen(text) && std::strncmp(word.text, text, word.length) == 0;
  }

  const char* name_;
  const char* at_;
  const char* end_;
  uint32_t line_ = 1;
  uint32_t total_ = 0;
};

uint32_t all_calls(const PlanRecord& plan) {
  uint32_t count = plan.before + plan.after;
  for (uint32_t i = 0; i < plan.threads; ++i) count += plan.of_thread[i];
  return count;
}

void check_plan(const PlanRecord& plan, const char* name) {
  bool is_sound = plan.threads <= kMaxThreads && plan.before <= kMaxCalls && plan.after <= kMaxCalls;
  for (uint32_t i = 0; is_sound && i < plan.threads; ++i) is_sound = plan.of_thread[i] <= kMaxCalls;
  for (uint32_t i = 0; is_sound && i < plan.before; ++i) is_sound = plan.made_for[i] <= kMaxThreads;
  if (!is_sound || all_calls(plan) > kMaxCalls) refuse("the plan is damaged: ", name);
  if (plan.constructor >= heddle_driver_operation_count ||
      heddle_driver_operations[plan.constructor].construct == nullptr)
    refuse("the driver has no such constructor as the plan says: ", name);
  for (uint32_t i = 0; i < all_calls(plan); ++i) {
    if (plan.operations[i] >= heddle_driver_operation_count ||
        heddle_driver_operations[plan.operations[i]].call == nullptr)
      refuse("the driver does not have all calls of the plan: ", name);
  }
}

void read_plan(int count, char** words) {
  const char* text = nullptr;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--explain") == 0) {
      explains = true;
    } else if (std::strcmp(words[i], "--plan") == 0 && i + 1 < count) {
      text = words[++i];
    } else {
      refuse("usage: driver --plan FILE [--explain]; this is not an argument of it: ", words[i]);
    }
  }
  long size = 0;
  const char* shared = std::getenv(kPlanVariable);
  if (text != nullptr) {
    file = &own_file;
    const char* content = map(text, /*shared=*/false, &size);
    PlanText(text, content, size).read(&file->plan);
  } else if (shared != nullptr) {
    text = shared;
    file = reinterpret_cast<PlanFile*>(map(shared, /*shared=*/true, &size));
    if (size < static_cast<long>(sizeof(PlanFile))) refuse("the plan is not whole: ", shared);
    // Of the answer of an earlier execution, all but the texts themselves.
    char* answer = reinterpret_cast<char*>(&file->answer);
    for (size_t i = 0; i < offsetof(AnswerRecord, texts); ++i) answer[i] = 0;
  } else {
    refuse("usage: driver --plan FILE [--explain]");
  }
  check_plan(file->plan, text);
}

const HeddleDriverOperation& operation(uint32_t call) {
  return heddle_driver_operations[file->plan.operations[call]];
}

void explain(const HeddleDriverThread& thread, uint32_t call) {
  if (thread.number == 0) {
    say(1, "main: ");
  } else {
    say(1, "thread ");
    say_number(1, thread.number);
    say(1, ": ");
  }
  say(1, operation(call).label);
  say(1, " → ");
  const CallRecord& record = *thread.call;
  system_call(SYS_write, 1, reinterpret_cast<long>(file->answer.texts + record.text), record.length);
  say(1, "\n");
}

uint32_t next_number() {
  return __atomic_add_fetch(&file->answer.numbers, 1, __ATOMIC_RELAXED);
}

void make_call(HeddleDriverThread* thread, uint32_t call) {
  thread->call = &file->answer.calls[call];
  thread->call->begun = next_number();
  heddle_driver_call(&operation(call), thread);
  thread->call->ended = next_number();
  if (explains) explain(*thread, call);
}

// A thread that makes calls one by one when main says so: who owns a lock, and what is a thread's own, is
// then as in the concurrent test, while one call comes after the other.
struct Worker {
  pthread_t handle;
  sem_t go;
  sem_t done;
  uint32_t call;  // kNoCall: end
  bool is_started;
};
constexpr uint32_t kNoCall = ~0u;
Worker workers[kMaxThreads + 1];

void* worker_body(void* argument) {
  auto* thread = static_cast<HeddleDriverThread*>(argument);
  Worker& worker = workers[thread->number];
  for (;;) {
    sem_wait(&worker.go);
    if (worker.call == kNoCall) return nullptr;
    make_call(thread, worker.call);
    sem_post(&worker.done);
  }
}

void hand_over(uint32_t number, uint32_t call) {
  Worker& worker = workers[number];
  if (!worker.is_started) {
    threads[number].number = number;
    sem_init(&worker.go, 0, 0);
    sem_init(&worker.done, 0, 0);
    if (pthread_create(&worker.handle, nullptr, worker_body, &threads[number]) != 0)
      refuse("cannot create a thread");
    worker.is_started = true;
  }
  worker.call = call;
  sem_post(&worker.go);
  sem_wait(&worker.done);
}

void end_workers() {
  for (Worker& worker : workers) {
    if (!worker.is_started) continue;
    worker.call = kNoCall;
    sem_post(&worker.go);
    pthread_join(worker.handle, nullptr);
  }
}

void make_calls(HeddleDriverThread* thread) {
  for (uint32_t i = thread->first; i < thread->first + thread->count; ++i) {
    if (file->plan.threads == 0) heddle_driver_mark(i);
    if (const uint8_t number = thread->number == 0 ? file->plan.made_for[i] : 0; number != 0)
      hand_over(number, i);
    else
      make_call(thread, i);
  }
}

void drop_results(HeddleDriverThread* thread) {
  while (thread->saved_count > 0) {
    const SavedResult& last = thread->saved[--thread->saved_count];
    last.destroy(last.owner);
  }
}

void* thread_body(void* argument) {
  auto* thread = static_cast<HeddleDriverThread*>(argument);
  make_calls(thread);
  return nullptr;
}

uint32_t call_all_threads(uint32_t first) {
  pthread_t handles[kMaxThreads];
  const PlanRecord& plan = file->plan;
  for (uint32_t i = 0; i < plan.threads; ++i) {
    HeddleDriverThread& thread = threads[i + 1];
    thread.number = i + 1;
    thread.first = first;
    thread.count = plan.of_thread[i];
    first += thread.count;
    if (pthread_create(&handles[i], nullptr, thread_body, &thread) != 0) refuse("cannot create a thread");
  }
  for (uint32_t i = 0; i < plan.threads; ++i) pthread_join(handles[i], nullptr);
  return first;
}

bool plan_uses_other() {
  for (uint32_t i = 0; i < all_calls(file->plan); ++i) {
    if (operation(i).takes_other) return true;
  }
  return false;
}

bool has(const int* list, unsigned wanted) {
  for (; *list >= 0; ++list) {
    if (*list == static_cast<int>(wanted)) return true;
  }
  return false;
}

bool plan_uses_fixture(unsigned fixture) {
  if (has(heddle_driver_operations[file->plan.constructor].fixtures, fixture)) return true;
  for (uint32_t i = 0; i < all_calls(file->plan); ++i) {
    if (has(operation(i).fixtures, fixture)) return true;
  }
  return false;
}

void destroy(HeddleDriverPlace* what) {
  if (what->destroy != nullptr) what->destroy(what->owner);
}

void read_states() {
  state_record = &file->answer.state;
  heddle_driver_read_state(place.object);
  if (other_place.object == nullptr) return;
  state_record = &file->answer.other_state;
  heddle_driver_read_state(other_place.object);
}

void carry_out() {
  const PlanRecord& plan = file->plan;
  // They end with the process, after the object.
  for (unsigned i = 0; i < heddle_driver_fixture_count && i < kMaxFixtures; ++i) {
    if (heddle_driver_fixtures[i].make != nullptr && plan_uses_fixture(i))
      fixtures[i] = heddle_driver_fixtures[i].make();
  }
  const HeddleDriverOperation& constructor = heddle_driver_operations[plan.constructor];
  constructor.construct(&place, /*is_other=*/false);
  if (plan_uses_other()) constructor.construct(&other_place, /*is_other=*/true);
  file->answer.constructed = 1;

  HeddleDriverThread& main_thread = threads[0];
  main_thread.count = plan.before;
  make_calls(&main_thread);
  end_workers();
  main_thread.first = call_all_threads(plan.before);
  main_thread.count = plan.after;
  make_calls(&main_thread);
  if (plan.wants_state != 0) read_states();

  // A handle gives back what it stands for when it ends: not in the middle of what others do.
  for (HeddleDriverThread& thread : threads) drop_results(&thread);
  destroy(&other_place);
  destroy(&place);
  file->answer.finished = 1;
}

void write_text(const char* text, unsigned long length, CallRecord* record) {
  const auto wanted = length < kMaxText ? static_cast<uint32_t>(length) : kMaxText;
  const uint32_t begin = __atomic_fetch_add(&file->answer.texts_used, wanted, __ATOMIC_RELAXED);
  if (begin > kMaxText - wanted) return;  // so many long texts are of no use to anyone
  volatile char* to = file->answer.texts + begin;
  for (uint32_t i = 0; i < wanted; ++i) to[i] = text[i];
  record->text = begin;
  record->length = wanted;
}

}  // namespace

extern "C" {

void* heddle_driver_object(const HeddleDriverThread* /*thread*/) {
  return place.object;
}

void* heddle_driver_other(const HeddleDriverThread* /*thread*/) {
  return other_place.object != nullptr ? other_place.object : place.object;
}

void* heddle_driver_fixture(unsigned fixture) {
  return fixtures[fixture];
}

void heddle_driver_give(HeddleDriverThread* thread, const char* text, unsigned long length, bool threw) {
  thread->call->threw = threw ? 1 : 0;
  write_text(text, length, thread->call);
}

void heddle_driver_give_state(const char* text, unsigned long length) {
  write_text(text, length, state_record);
}

bool heddle_driver_saves(const HeddleDriverThread* /*thread*/, int kind) {
  for (uint32_t i = 0; i < all_calls(file->plan); ++i) {
    if (has(operation(i).needs, static_cast<unsigned>(kind))) return true;
  }
  return false;
}

void heddle_driver_save(HeddleDriverThread* thread, int kind, void* value, void* owner,
                        void (*destroy_owner)(void*)) {
  thread->saved[thread->saved_count++] = {kind, value, owner, destroy_owner};
}

void* heddle_driver_saved(const HeddleDriverThread* thread, int kind) {
  for (const HeddleDriverThread* of : {thread, static_cast<const HeddleDriverThread*>(&threads[0])}) {
    for (uint32_t i = of->saved_count; i > 0; --i) {
      if (of->saved[i - 1].kind == kind) return of->saved[i - 1].value;
    }
  }
  return nullptr;
}
}

int main(int count, char** words) {
  read_plan(count, words);
  carry_out();
  return 0;
}
