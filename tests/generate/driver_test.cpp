// Drivers: compiled for classes in a temporary folder, and run under the real runtime.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../trace/temp_folder.h"
#include "generate/driver_build.h"
#include "generate/driver_session.h"
#include "generate/plan_text.h"
#include "support/process.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;

constexpr char kQueueHeader[] = R"(#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <condition_variable>
#include <set>
#include <string>
#include <vector>
namespace shop {
struct Listener {
  virtual ~Listener() = default;
  virtual int told(int item) = 0;
};
class Counted {
 private:
  int visits_ = 0;
 protected:
  void visit() { ++visits_; }
};
struct Token {
  explicit Token(int number) : number(number) {}
  Token(Token&&) = default;
  int number;
};
struct Sum { int all; unsigned count : 5; };
struct Report { Sum sum; std::string name; };
struct Odd { int number; };
// What a queue is made of: its state is told by these, too.
class Drawer {
 public:
  std::size_t size() const { std::abort(); }  // not to be asked: it might lock something
 private:
  friend class Queue;
  std::mutex mutex_;
  std::vector<int> things_;
};
struct Archive;  // only the source knows what it is
template <typename T> struct Link { T value; Link* next; };
struct Inside {
  Drawer drawers[4];
  std::map<std::string, Link<int>> named;
  std::vector<std::unique_ptr<Drawer>> spare;
  std::optional<Link<int>> maybe;
  std::size_t room = 3;
  int drawn : 5;
};
class Queue : private Counted {
 public:
  std::vector<Report> report() const {
    return {Report{Sum{7, static_cast<unsigned>(size())}, name_}};
  }
  Odd odd() const { return {5}; }
  explicit Queue(std::size_t capacity);
  Queue(const Queue&) = delete;
  static std::unique_ptr<Queue> make() { return std::make_unique<Queue>(1); }
  static std::shared_ptr<Queue> nothing() { return nullptr; }
  static Queue& shared() { static Queue queue(3); return queue; }
  static Queue in_place() { return Queue(2); }
  ~Queue();
  bool put(int item);
  int take();
  std::size_t size() const { std::lock_guard<std::mutex> lock(mutex_); return items_.size(); }
  std::size_t size_without_lock() const { return items_.size(); }
  bool is_full_in_two_steps() const { return size() == capacity_ && size() == capacity_; }
  std::vector<int> items() const { std::lock_guard<std::mutex> lock(mutex_); return items_; }
  const std::string& name() const { return name_; }
  void tell(Listener& listener) { told_ = listener.told(static_cast<int>(size())); }
  int last_told() const { return told_; }
  int visit_without_lock() { return ++visitors_; }
  void append(Queue& other) { std::scoped_lock lock(mutex_, other.mutex_);
    for (int item : other.items_) items_.push_back(item); }
  std::unique_ptr<Token> hand_out() { return std::make_unique<Token>(++tokens_); }
  int hand_in(std::unique_ptr<Token> token) { return token->number; }
  int look_at(const std::unique_ptr<Token>& token) const { return token->number; }
  void wait_for_item() { std::unique_lock<std::mutex> lock(mutex_); change_.wait(lock, [&] { return !items_.empty(); }); }
  void fill(int drawer) { inside_->drawers[drawer].things_.push_back(1); }
  void add_spare() { inside_->spare.push_back(std::make_unique<Drawer>()); }
  void add_name(const char* name) { inside_->named.emplace(name, Link<int>{0, nullptr}); }
  void rename(const char* name) { std::string(name).swap(name_); }
  void choose(int value) { inside_->maybe = Link<int>{value, nullptr}; }
  void chain() { first_ = new Link<int>{0, first_}; }
  void close_ring() { first_ = new Link<int>{0, nullptr}; first_->next = first_; }
  void leave_behind() { first_ = new Link<int>{0, nullptr}; delete first_; }
  void mark() { first_ = reinterpret_cast<Link<int>*>(reinterpret_cast<std::uintptr_t>(first_) | 1); }
  void archive(int item);
  int times_begun() const;
  void enter(std::uint64_t word) { word_ = word; }
  void crash() { int* none = nullptr; *static_cast<volatile int*>(none) = 1; }
  void leave();
  template <typename T> T as(int value) { return T{value}.missing(); }
 private:
  mutable std::mutex mutex_;
  std::condition_variable change_;
  std::vector<int> items_;
  std::string name_ = "a queue with a long name";
  const std::size_t capacity_;
  bool closed_ = false;
  int told_ = 0;
  int tokens_ = 0;
  std::atomic<int> visitors_{0};
  Listener* last_ = nullptr;
  struct { int a; } nameless_;
  std::unique_ptr<Inside> inside_ = std::make_unique<Inside>();
  Link<int>* first_ = nullptr;
  std::shared_ptr<Archive> archive_;
  Queue* above_ = this;
  std::atomic<std::uint64_t> word_{0};
};
}  // namespace shop
)";

constexpr char kQueueSource[] = R"(#include "queue.h"
#include <cstdlib>
#include <stdexcept>
namespace shop {
Queue::Queue(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0) throw std::invalid_argument("no room");
}
Queue::~Queue() { if (closed_) std::abort(); }
bool Queue::put(int item) {
  std::lock_guard<std::mutex> lock(mutex_);
  visit();
  if (items_.size() == capacity_) return false;
  items_.push_back(item);
  change_.notify_one();
  return true;
}
int Queue::take() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (items_.empty()) throw std::out_of_range("nothing there");
  const int item = items_.front();
  items_.erase(items_.begin());
  return item;
}
void Queue::leave() { std::exit(3); }
int times_begun = 0;
static const int begun = ++times_begun;
int Queue::times_begun() const { return shop::times_begun; }
struct Archive { std::vector<int> items; };
void Queue::archive(int item) {
  if (archive_ == nullptr) archive_ = std::make_shared<Archive>();
  archive_->items.push_back(item);
}
}  // namespace shop
)";

// Makes tables by hand. Methods are told apart by their names.
class TableMaker {
 public:
  TableMaker(std::string name, std::vector<Field> fields = {}) {
    model_.name = model_.spelled = std::move(name);
    model_.fields = std::move(fields);
  }

  OperationId constructor(const std::string& code) {
    Operation operation;
    operation.is_constructor = true;
    operation.callable = static_cast<uint32_t>(model_.constructors.size());
    Callable callable;
    callable.name = model_.name;
    model_.constructors.push_back(callable);
    operation.code = code;
    operation.label = model_.name + code;
    ++table_.constructors;
    return add(operation);
  }

  uint32_t method(const std::string& name) {
    for (uint32_t i = 0; i < model_.methods.size(); ++i) {
      if (model_.methods[i].name == name) return i;
    }
    Callable callable;
    callable.name = name;
    model_.methods.push_back(callable);
    return static_cast<uint32_t>(model_.methods.size() - 1);
  }

  OperationId call(const std::string& name, const std::string& arguments = "",
                   std::vector<uint32_t> needs = {}, std::vector<uint32_t> fixtures = {}) {
    Operation operation;
    operation.callable = method(name);
    operation.receiver = "object";
    operation.code = "object." + name + "(" + arguments + ")";
    operation.label = name + "(" + arguments + ")";
    operation.takes_other = arguments.find("other") != std::string::npos;
    operation.needs = std::move(needs);
    operation.fixtures = std::move(fixtures);
    return add(operation);
  }

  ClassModel& model() { return model_; }
  OperationTable& table() { return table_; }

 private:
  OperationId add(Operation operation) {
    operation.id = OperationId{static_cast<uint32_t>(table_.operations.size())};
    table_.operations.push_back(operation);
    return operation.id;
  }

  ClassModel model_;
  OperationTable table_;
};

std::vector<std::string> texts(const CallRun& run) {
  std::vector<std::string> texts;
  for (const CallResult& result : run.results) texts.push_back(result.text);
  return texts;
}

using Texts = std::vector<std::string>;

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

// One driver for most tests, since each takes seconds to compile.
class QueueDriver : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    state_ = std::make_unique<State>();
    write(state_->folder.file("queue.h"), kQueueHeader);
    write(state_->folder.file("queue.cpp"), kQueueSource);
    describe();
    state_->sources.headers = {"queue.h"};
    state_->sources.flags = {"-std=c++20", "-I" + state_->folder.path().string()};
    state_->sources.sources = {state_->folder.file("queue.cpp")};
    state_->options.folder = state_->folder.path() / "driver";
    state_->options.compilers = HEDDLE_COMPILERS;
    Expected<Driver> driver = build();
    ASSERT_TRUE(driver) << driver.error().message;
    state_->driver = std::move(*driver);
    state_->symbolizer = make_symbolizer();
    Expected<std::unique_ptr<DriverSession>> session = DriverSession::start(
        {.program = state_->driver.program, .plan_file = state_->folder.file("plan")}, *state_->symbolizer);
    ASSERT_TRUE(session) << session.error().message;
    state_->session = std::move(*session);
  }
  static void TearDownTestSuite() { state_.reset(); }
  void SetUp() override { ASSERT_NE(state_->session, nullptr); }

  static void describe() {
    TableMaker& maker = state_->maker;
    maker.constructor("(2)");
    maker.constructor("(0)");
    maker.constructor(" = shop::Queue::make()");
    maker.constructor(" = shop::Queue::shared()");
    maker.constructor(" = shop::Queue::in_place()");
    maker.constructor(" = shop::Queue::nothing()");
    maker.constructor("(1, 2, 3)");  // there is none
    maker.table().fixtures.push_back({"quiet", "auto quiet = QuietListener(base);",
                                      "struct QuietListener : shop::Listener {\n  int base;\n  explicit "
                                      "QuietListener(int number) : base(number) {}\n"
                                      "  int told(int item) override { return base + item; }\n};"});
    maker.table().fixtures.insert(maker.table().fixtures.begin(), {"base", "const int base = 7;", ""});
    maker.table().fixtures.push_back({"broken", "NoSuchType broken;", ""});
    maker.call("put", "1");
    maker.call("put", "2");
    maker.call("take");
    maker.call("visit_without_lock");
    maker.call("size");
    maker.call("size_without_lock");
    maker.call("is_full_in_two_steps");
    maker.call("items");
    maker.call("name");
    maker.call("tell", "quiet", {}, {1});
    maker.call("last_told");
    maker.table().operations.push_back(maker.table().operations.back());
    maker.table().operations.back().id =
        OperationId{static_cast<uint32_t>(maker.table().operations.size() - 1)};
    maker.table().operations.back().code = "[&] { int out = 1; out += object.last_told(); return out; }()";
    maker.table().operations.back().label = "last_told(&out)";
    maker.call("tell", "broken", {}, {2});
    maker.call("report");
    maker.model().methods[maker.method("report")].result = "std::vector<shop::Report>";
    maker.call("odd");
    maker.model().methods[maker.method("odd")].result = "const shop::Odd&";
    const auto add_type = [&](const std::string& name, std::vector<std::string> elements,
                              std::vector<Parameter> fields) {
      TypeModel& type = maker.model().types[name];
      type.name = name;
      type.elements = std::move(elements);
      type.fields = std::move(fields);
    };
    add_type("std::vector<shop::Report>", {"shop::Report"}, {});
    add_type("shop::Report", {}, {{"sum", "shop::Sum", ""}, {"name", "std::string", ""}});
    add_type("shop::Sum", {}, {{"all", "int", ""}, {"count", "unsigned", ""}});
    add_type("shop::Odd", {}, {{"no_such_field", "int", ""}});
    maker.call("append", "other");
    maker.call("hand_out");
    const std::string token = "$" + std::to_string(maker.method("hand_out"));
    maker.call("hand_in", "std::move(" + token + ")", {maker.method("hand_out")});
    maker.call("look_at", token, {maker.method("hand_out")});
    maker.call("wait_for_item");
    maker.call("archive", "1");
    maker.call("times_begun");
    for (const char* drawer : {"0", "2"}) maker.call("fill", drawer);
    for (const char* name : {"\"a\"", "\"b\""}) maker.call("add_name", name);
    for (const char* name : {"\"ab\"", "\"cd\"", "\"nearly full\"", "\"more than fits into the object\""})
      maker.call("rename", name);
    for (const char* value : {"0", "7"}) maker.call("choose", value);
    for (const char* name : {"add_spare", "chain", "close_ring", "leave_behind", "mark"}) maker.call(name);
    for (const char* word : {"2", "3", "4", "5", "3ull << 48 | 1", "3ull << 48 | 2", "2ull << 48 | 2"})
      maker.call("enter", word);
    maker.call("crash");
    maker.call("leave");
    maker.call("as<int>", "1");     // an error within a template
    maker.call("put", "\"text\"");  // an argument of another type
    maker.call("give_up");          // there is none
    maker.call("put", "$" + std::to_string(maker.method("give_up")), {maker.method("give_up")});
    for (const char* name :
         {"mutex_", "change_", "items_", "name_", "capacity_", "closed_", "told_", "last_", "nameless_",
          "no_such_field", "inside_", "first_", "archive_", "above_", "word_"})
      maker.model().fields.push_back({name, "", "shop::Queue"});
    maker.model().fields.push_back({"visits_", "int", "shop::Counted"});
    maker.model().fields.push_back({"tokens_", "int", "shop::Queue"});
    maker.model().inner = {
        {"shop::Drawer", {{"mutex_", "", "shop::Drawer"}, {"things_", "", "shop::Drawer"}}},
        {"shop::Link<int>", {{"value", "int", "shop::Link<int>"}, {"next", "", "shop::Link<int>"}}},
        {"shop::Inside",
         {{"drawers", "", "shop::Inside"},
          {"named", "", "shop::Inside"},
          {"spare", "", "shop::Inside"},
          {"maybe", "", "shop::Inside"},
          {"no_such_field", "int", "shop::Inside"},
          {"room", "", "shop::Inside"}}},
        {"shop::NoSuchClass", {{"field", "int", "shop::NoSuchClass"}}}};
    maker.model().implementation = {state_->folder.file("queue.cpp"), maker.model().inner};
    maker.model().implementation.inner["shop::Archive"] = {{"items", "", "shop::Archive"}};
  }

  static Expected<Driver> build() {
    return compile_driver(state_->maker.model(), state_->maker.table(), state_->sources, state_->options);
  }

  static const Driver& driver() { return state_->driver; }
  static DriverSession& session() { return *state_->session; }
  static const fs::path& folder() { return state_->folder.path(); }

  // By its label in the driver's own table.
  static OperationId id(const std::string& label) {
    for (const Operation& operation : driver().operations.operations) {
      if (operation.label == label) return operation.id;
    }
    ADD_FAILURE() << "no operation " << label;
    return {};
  }

  static CallPlan plan(const std::string& constructor, const Texts& before,
                       const std::vector<Texts>& threads = {}, const Texts& after = {}) {
    const auto ids = [](const Texts& labels) {
      std::vector<OperationId> calls;
      for (const std::string& label : labels) calls.push_back(id(label));
      return calls;
    };
    CallPlan plan{.constructor = id("shop::Queue" + constructor),
                  .before = ids(before),
                  .threads = {},
                  .after = ids(after)};
    for (const Texts& thread : threads) plan.threads.push_back(ids(thread));
    return plan;
  }

  static CallRun run(const CallPlan& calls, bool observes = false) {
    const Expected<CallRun> run = session().run_alone(calls, observes);
    if (!run) ADD_FAILURE() << run.error().message;
    return run ? *run : CallRun{};
  }

  // Of a queue with room for two.
  static std::string state_after(const Texts& calls) {
    const CallRun done = run(plan("(2)", calls), true);
    EXPECT_EQ(done.end, RunEnd::kFinished) << done.why;
    return done.state;
  }

  struct State {
    trace::TempFolder folder;
    TableMaker maker{"shop::Queue"};
    ClassSources sources;
    DriverOptions options;
    Driver driver;
    std::unique_ptr<Symbolizer> symbolizer;
    std::unique_ptr<DriverSession> session;
  };
  static std::unique_ptr<State> state_;
};

std::unique_ptr<QueueDriver::State> QueueDriver::state_;

TEST_F(QueueDriver, LeavesOutAndNamesWhatDoesNotCompile) {
  Texts named;
  for (const Unusable& unusable : driver().unusable) {
    named.push_back(unusable.signature);
    EXPECT_NE(unusable.reason.find("does not compile"), std::string::npos) << unusable.reason;
  }
  std::sort(named.begin(), named.end());
  EXPECT_EQ(named,
            (Texts{"as<int>(1)", "give_up()", "put(\"text\")", "shop::Queue(1, 2, 3)", "tell(broken)"}));
  EXPECT_EQ(driver().operations.constructors, 6u);
  for (uint32_t i = 0; i < driver().operations.operations.size(); ++i)
    EXPECT_EQ(driver().operations.operations[i].id, OperationId{i});
}

TEST_F(QueueDriver, WritesWhatCallsGiveAndThrow) {
  const CallRun got =
      run(plan("(2)", {"take()", "put(1)", "put(2)", "put(1)", "items()", "take()", "size()", "name()"}));
  EXPECT_EQ(got.end, RunEnd::kFinished) << got.why;
  EXPECT_EQ(texts(got), (Texts{"threw std::out_of_range: nothing there", "true", "true", "false", "{1, 2}",
                               "1", "1", "\"a queue with a long name\""}));
  EXPECT_TRUE(got.results[0].threw);
  EXPECT_FALSE(got.results[1].threw);
  EXPECT_EQ(got.results[0].begun, 1u);
  EXPECT_EQ(got.results[0].ended, 2u);
  EXPECT_EQ(got.results[7].ended, 16u);
}

TEST_F(QueueDriver, WritesStructuresByTheirFields) {
  EXPECT_EQ(texts(run(plan("(2)", {"put(1)", "report()", "odd()"}))),
            (Texts{"true", "{{sum: {all: 7, count: 1}, name: \"a queue with a long name\"}}", "object"}));
  // What does not compile is not in the tests that are written, either.
  EXPECT_TRUE(driver().model.types.at("shop::Odd").fields.empty());
}

TEST_F(QueueDriver, HasObjectsMadeInAnyWay) {
  EXPECT_EQ(texts(run(plan(" = shop::Queue::make()", {"put(1)", "put(1)"}))), (Texts{"true", "false"}));
  EXPECT_EQ(texts(run(plan(" = shop::Queue::in_place()", {"put(1)", "put(1)", "put(1)"}))),
            (Texts{"true", "true", "false"}));
  EXPECT_EQ(texts(run(plan(" = shop::Queue::shared()", {"put(1)", "size()"}))), (Texts{"true", "1"}));
  const CallRun thrown = run(plan("(0)", {"size()"}));
  EXPECT_EQ(thrown.end, RunEnd::kFailed);
  EXPECT_NE(thrown.why.find("no room"), std::string::npos) << thrown.why;
  EXPECT_EQ(thrown.results[0].begun, 0u);
  EXPECT_EQ(run(plan(" = shop::Queue::nothing()", {"size()"})).end, RunEnd::kFailed);
}

TEST_F(QueueDriver, HasFixturesASecondObjectAndEarlierResults) {
  EXPECT_EQ(texts(run(plan("(2)", {"put(1)", "tell(quiet)", "last_told()", "last_told(&out)"}))),
            (Texts{"true", "done", "8", "9"}));
  EXPECT_EQ(texts(run(plan("(2)", {"put(1)", "append(other)", "size()"}))), (Texts{"true", "done", "1"}));
  const std::string token = "$" + std::to_string(state_->maker.method("hand_out"));
  const std::string hand_in = "hand_in(std::move(" + token + "))";
  const std::string look_at = "look_at(" + token + ")";
  EXPECT_EQ(texts(run(plan("(2)", {"hand_out()", "hand_out()", look_at, hand_in}))),
            (Texts{"non-null", "non-null", "2", "2"}));
  // A thread takes its own results, else those of before.
  const CallPlan threads = plan("(2)", {"hand_out()"}, {{look_at}, {"hand_out()", look_at}}, {look_at});
  session().set_plan(threads);
  const Expected<Execution> execution =
      session().server().run({.policy = {.kind = trace::PolicyKind::kNonpreemptive}});
  ASSERT_TRUE(execution);
  EXPECT_EQ(texts(session().read(*execution)), (Texts{"non-null", "1", "non-null", "2", "1"}));
  const CallRun none = run(plan("(2)", {look_at}));
  EXPECT_TRUE(none.results[0].threw) << none.results[0].text;
}

TEST_F(QueueDriver, TellsStatesApart) {
  const std::string empty = run(plan("(2)", {"size()"}), true).state;
  const std::string one = run(plan("(2)", {"put(1)"}), true).state;
  const std::string full = run(plan("(2)", {"put(1)", "put(2)"}), true).state;
  const std::string made = run(plan(" = shop::Queue::make()", {"put(1)"}), true).state;
  EXPECT_NE(empty, one);
  EXPECT_NE(one, full);
  EXPECT_NE(one, made);  // full, at one
  EXPECT_EQ(one, run(plan("(2)", {"put(2)"}), true).state);
  EXPECT_NE(full.find("visits_=many"), std::string::npos) << full;
  EXPECT_NE(full.find("closed_=false"), std::string::npos) << full;
  EXPECT_NE(full.find("last_=null"), std::string::npos) << full;
  EXPECT_NE(full.find("items_==capacity_"), std::string::npos) << full;
}

// What a call does that makes a text longer depends on whether it still fits into its object then.
TEST_F(QueueDriver, TellsTextsApartByTheRoomThatIsLeft) {
  const std::string some = state_after({"rename(\"ab\")"});
  const std::string half = state_after({"rename(\"nearly full\")"});
  const std::string outside = state_after({"rename(\"more than fits into the object\")"});
  EXPECT_EQ(some, state_after({"rename(\"cd\")"}));
  EXPECT_NE(some, half);
  EXPECT_NE(half, outside);
}

TEST_F(QueueDriver, TellsStatesOfClassesWithinApart) {
  const std::string none = state_after({});
  const std::string one = state_after({"fill(0)"});
  EXPECT_NE(none.find("inside_->drawers=[{things_=empty}*all]"), std::string::npos) << none;
  EXPECT_NE(one.find("{things_=empty}*many,{things_=one}*one]"), std::string::npos) << one;
  EXPECT_EQ(one, state_after({"fill(2)"}));
  EXPECT_NE(one, state_after({"fill(0)", "fill(0)"}));
  EXPECT_NE(one, state_after({"fill(0)", "fill(2)"}));
  EXPECT_NE(state_after({"fill(0)", "fill(0)"}), state_after({"fill(0)", "fill(2)"}));
  EXPECT_NE(state_after({"choose(0)"}), state_after({"choose(7)"}));
  EXPECT_EQ(state_after({"add_name(\"a\")"}), state_after({"add_name(\"b\")"}));
  EXPECT_NE(state_after({"add_spare()"}), none);
  EXPECT_NE(state_after({"add_spare()", "add_spare()"}), state_after({"add_spare()"}));
  const std::string three = state_after({"add_spare()", "add_spare()", "add_spare()"});
  EXPECT_NE(three.find("inside_->spare==inside_->room"), std::string::npos) << three;
}

TEST_F(QueueDriver, FollowsOnlyPointersToWhatIsThere) {
  const std::string one = state_after({"chain()"});
  EXPECT_NE(one.find("first_->next=null"), std::string::npos) << one;
  EXPECT_NE(one, state_after({}));
  EXPECT_NE(one, state_after({"chain()", "chain()"}));
  EXPECT_EQ(state_after({"chain()", "chain()"}), state_after({"chain()", "chain()", "chain()"}));
  EXPECT_NE(state_after({"chain()", "chain()"}), state_after({"close_ring()"}));
  for (const char* call : {"leave_behind()", "mark()"}) {
    const std::string state = state_after({call});
    EXPECT_NE(state.find("first_=non-null"), std::string::npos) << state;
    EXPECT_EQ(state.find("first_->"), std::string::npos) << state;
  }
  EXPECT_EQ(one.find("above_->"), std::string::npos) << one;
}

TEST_F(QueueDriver, TellsStatesOfWhatOnlyASourceDefines) {
  EXPECT_NE(state_after({"archive(1)"}).find("archive_->items=one"), std::string::npos)
      << state_after({"archive(1)"});
  EXPECT_NE(state_after({"archive(1)"}), state_after({"archive(1)", "archive(1)"}));
  // The source's variables are there once.
  EXPECT_EQ(texts(run(plan("(2)", {"times_begun()"}))), (Texts{"1"}));
}

TEST_F(QueueDriver, TellsTheNumbersInAWordApart) {
  const auto entered = [&](const std::string& word) { return state_after({"enter(" + word + ")"}); };
  EXPECT_NE(entered("2"), entered("3"));
  EXPECT_EQ(entered("4"), entered("5"));
  EXPECT_NE(entered("3ull << 48 | 1"), entered("3ull << 48 | 2"));
  EXPECT_NE(entered("3ull << 48 | 2"), entered("2ull << 48 | 2"));
  EXPECT_NE(entered("2ull << 48 | 2").find("word_=2|0|0|2"), std::string::npos);
}

TEST_F(QueueDriver, ShowsWhatTheLastCallAloneDoes) {
  const CallRun put = run(plan("(2)", {"put(1)", "put(2)"}), true);
  const CallRun size = run(plan("(2)", {"put(1)", "size_without_lock()"}), true);
  ASSERT_FALSE(put.last.accesses.empty());
  EXPECT_TRUE(std::any_of(put.last.accesses.begin(), put.last.accesses.end(),
                          [](const CallAccess& access) { return access.writes && access.held.size() == 1; }));
  ASSERT_FALSE(size.last.accesses.empty());
  EXPECT_TRUE(std::none_of(size.last.accesses.begin(), size.last.accesses.end(),
                           [](const CallAccess& access) { return access.writes || !access.held.empty(); }));
}

TEST_F(QueueDriver, ShowsAtomicOperationsOfTheOnlyThread) {
  const CallRun visit = run(plan("(2)", {"visit_without_lock()"}), true);
  EXPECT_TRUE(std::any_of(visit.last.accesses.begin(), visit.last.accesses.end(),
                          [](const CallAccess& access) { return access.writes && access.atomic; }));
}

TEST_F(QueueDriver, TellsHowCallsEnd) {
  const CallRun crashed = run(plan("(2)", {"put(1)", "crash()", "size()"}));
  EXPECT_EQ(crashed.end, RunEnd::kFailed);
  EXPECT_EQ(crashed.results[0].text, "true");
  EXPECT_NE(crashed.results[1].begun, 0u);
  EXPECT_EQ(crashed.results[1].ended, 0u);
  EXPECT_EQ(run(plan("(2)", {"wait_for_item()"})).end, RunEnd::kBlocked);
  const CallRun left = run(plan("(2)", {"leave()"}));
  EXPECT_EQ(left.end, RunEnd::kExited);
  EXPECT_EQ(left.why, "exit(3)");
}

TEST_F(QueueDriver, ThreadsRaceIfTheClassDoesAndOnlyThen) {
  const auto is_race = [&](const CallPlan& calls, uint64_t seed) {
    session().set_plan(calls);
    const Expected<Execution> execution =
        session().server().run({.policy = {.kind = trace::PolicyKind::kRandom, .seed = seed},
                                .flags = trace::request_flag::kDetectRaces | trace::request_flag::kLearn});
    EXPECT_TRUE(execution);
    return session().read(*execution).end == RunEnd::kRace;
  };
  const CallPlan racing = plan("(2)", {}, {{"put(1)"}, {"size_without_lock()"}});
  const CallPlan right =
      plan("(2)", {"put(1)", "hand_out()"},
           {{"put(1)", "items()", "take()"}, {"take()", "name()", "size()"}, {"put(1)"}}, {"items()"});
  uint32_t races = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    races += is_race(racing, seed) ? 1 : 0;
    EXPECT_FALSE(is_race(right, seed)) << seed;
  }
  EXPECT_GT(races, 0u);
}

TEST_F(QueueDriver, AddsNothingThatThreadsCouldDisturbEachOtherWith) {
  const auto run_threads = [&](const Texts& calls) {
    session().set_plan(plan("(2)", {}, {calls, calls}));
    return session().server().run(
        {.policy = {.kind = trace::PolicyKind::kRandom, .seed = 3}, .flags = trace::request_flag::kLearn});
  };
  // Calls that only read: none of them takes a step, even if its text needs memory.
  const Expected<Execution> one = run_threads({"name()"});
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->learned.empty());
  const uint64_t steps = one->steps();
  const Expected<Execution> many = run_threads({"name()", "last_told()", "size_without_lock()", "name()"});
  ASSERT_TRUE(many);
  EXPECT_EQ(many->steps(), steps);
  EXPECT_TRUE(many->learned.empty());
}

TEST_F(QueueDriver, ReplaysASavedPlan) {
  const CallPlan calls =
      plan("(2)", {"put(1)"}, {{"put(1)", "size()"}, {"size_without_lock()", "take()"}}, {"items()"});
  session().set_plan(calls);
  const std::string file = folder() / "saved plan";
  write(file, plan_text(calls, driver().operations));
  const std::vector<std::string> command = {driver().program.string(), "--plan", file, "--explain"};
  ForkServer& server = session().server();
  uint32_t races = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const ExecutionRequest request{.policy = {.kind = trace::PolicyKind::kRandom, .seed = seed},
                                   .flags = trace::request_flag::kDetectRaces};
    const Expected<Execution> execution = server.run(request);
    ASSERT_TRUE(execution);
    const CallRun first = session().read(*execution);
    const trace::OutcomeKind kind = execution->outcome.kind;
    races += first.end == RunEnd::kRace ? 1 : 0;
    trace::Schedule schedule = server.schedule_of(request, *execution);
    schedule.command = command;

    Expected<ForkServer> replaying = ForkServer::start({.argv = command, .directory = {}, .environment = {}});
    ASSERT_TRUE(replaying);
    replaying->add_points(schedule.points);
    const Expected<Execution> replayed = replaying->run({.schedule = &schedule,
                                                         .policy = schedule.then,
                                                         .flags = trace::request_flag::kDetectRaces,
                                                         .stop_at_divergence = true});
    ASSERT_TRUE(replayed);
    EXPECT_EQ(replayed->divergence, "");
    EXPECT_EQ(replayed->outcome.kind, kind);
    EXPECT_EQ(replayed->outcome.steps, execution->outcome.steps);
    for (const CallResult& result : first.results)
      EXPECT_NE(replayed->out.find("→ " + result.text + "\n"), std::string::npos) << replayed->out;
    EXPECT_NE(replayed->out.find("thread 2: size_without_lock() → "), std::string::npos) << replayed->out;
  }
  EXPECT_GT(races, 0u);
}

TEST_F(QueueDriver, RefusesPlansThatItCannotCarryOut) {
  const auto refusal = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command = {driver().program.string()};
    command.insert(command.end(), words.begin(), words.end());
    Expected<ForkServer> server = ForkServer::start({.argv = command, .directory = {}, .environment = {}});
    if (!server) return server.error().message;
    const Expected<Execution> execution = server->run({});
    if (!execution) return execution.error().message;
    EXPECT_EQ(execution->outcome.kind, trace::OutcomeKind::kExitCode);
    EXPECT_EQ(execution->outcome.exit_code, 2);
    return execution->err;
  };
  const std::string file = folder() / "bad.plan";
  const auto refused_text = [&](const std::string& text) {
    write(file, text);
    return refusal({"--plan", file});
  };
  EXPECT_NE(refusal({}).find("usage: driver --plan FILE"), std::string::npos);
  EXPECT_NE(refusal({"--plain", file}).find("--plain"), std::string::npos);
  EXPECT_NE(refusal({"--plan", "/no/such/plan"}).find("cannot open the plan /no/such/plan"),
            std::string::npos);
  EXPECT_NE(refused_text("").find("nothing in the plan"), std::string::npos);
  EXPECT_NE(refused_text("# only words\n").find("nothing in the plan"), std::string::npos);
  EXPECT_NE(refused_text("before 7\n").find("must begin with its constructor"), std::string::npos);
  EXPECT_NE(refused_text("constructor 0\nthread 7 put\n").find("bad.plan, line 2"), std::string::npos);
  EXPECT_NE(refused_text("constructor 0\nbefore 9999\n").find("does not have all calls"), std::string::npos);
  EXPECT_NE(refused_text("constructor 9\n").find("no such constructor"), std::string::npos);
  EXPECT_NE(refused_text("constructor 0\nthread\nthread\nthread\nthread\n").find("one to three threads"),
            std::string::npos);
}

TEST_F(QueueDriver, IsCompiledAgainOnlyIfSomethingHasChanged) {
  const auto made = [&] { return fs::last_write_time(driver().program); };
  const fs::file_time_type before = made();
  const Expected<Driver> again = build();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(made(), before);
  EXPECT_EQ(again->operations.operations.size(), driver().operations.operations.size());
  EXPECT_EQ(again->unusable.size(), driver().unusable.size());
  EXPECT_EQ(again->objects, driver().objects);
  EXPECT_TRUE(again->model.types.at("shop::Odd").fields.empty());
  // A change in a source that does not change the header.
  write(folder() / "queue.cpp", std::string(kQueueSource) + "int addition;\n");
  const fs::file_time_type calls = fs::last_write_time(state_->options.folder / "calls.o");
  ASSERT_TRUE(build());
  EXPECT_NE(made(), before);
  EXPECT_EQ(fs::last_write_time(state_->options.folder / "calls.o"), calls);

  // Errors are in the user's words.
  write(folder() / "queue.cpp", "#include \"queue.h\"\nint broken( {\n");
  const Expected<Driver> broken = build();
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("queue.cpp:2"), std::string::npos) << broken.error().message;
  ClassSources alone = state_->sources;
  alone.sources.clear();
  const Expected<Driver> unlinked =
      compile_driver(state_->maker.model(), state_->maker.table(), alone, state_->options);
  ASSERT_FALSE(unlinked);
  EXPECT_NE(unlinked.error().message.find("shop::Queue::put(int)"), std::string::npos)
      << unlinked.error().message;
  EXPECT_NE(unlinked.error().message.find("--source"), std::string::npos) << unlinked.error().message;
}

// Other words for the same errors, other flags, and a class that nobody may destroy.
TEST(Driver, OfClangIsLikeThatOfGcc) {
  const trace::TempFolder folder;
  write(folder.file("counter.h"), R"(#pragma once
class Counter {
 public:
  static Counter* make() { return new Counter; }
  int add(int more) { count_ += more; return count_; }
  template <typename T> int add_all(T all) { return add(all.size()); }
 private:
  Counter() = default;
  ~Counter() = default;
  int count_ : 7 = 0;
  int& alias_ = limit_;
  int limit_ = 5;
};
extern "C" int plain_c(int number);
)");
  write(folder.file("plain.c"), "int plain_c(int class) { return class; }\n");
  TableMaker maker("Counter");
  maker.constructor(" = Counter::make()");
  maker.constructor("(1)");
  const OperationId add = maker.call("add", "plain_c(1)");
  maker.call("add_all", "5");
  maker.call("add", "\"text\"");
  for (const char* field : {"count_", "alias_", "limit_"})
    maker.model().fields.push_back({field, "int", "Counter"});
  const ClassSources sources{.headers = {folder.file("counter.h")},
                             .flags = {"-std=c++17", "-fno-exceptions"},
                             .sources = {folder.file("plain.c")},
                             .libraries = {},
                             .compiler = "clang++-19"};
  const Expected<Driver> driver =
      compile_driver(maker.model(), maker.table(), sources,
                     {.folder = folder.path() / "driver", .compilers = HEDDLE_COMPILERS});
  ASSERT_TRUE(driver) << driver.error().message;
  EXPECT_EQ(driver->operations.operations.size(), 2u);
  EXPECT_EQ(driver->unusable.size(), 3u);
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  const Expected<std::unique_ptr<DriverSession>> session =
      DriverSession::start({.program = driver->program, .plan_file = folder.file("plan")}, *symbolizer);
  ASSERT_TRUE(session) << session.error().message;
  const OperationId call{static_cast<uint32_t>(add) - 1};  // a constructor less
  const Expected<CallRun> run =
      (*session)->run_alone({.constructor = {}, .before = {call, call}, .threads = {}, .after = {}}, true);
  ASSERT_TRUE(run);
  EXPECT_EQ(texts(*run), (Texts{"1", "2"}));
  EXPECT_EQ(run->state, "count_=many alias_=many limit_=many alias_==limit_");
  EXPECT_FALSE(run->last.accesses.empty());
}

}  // namespace
}  // namespace heddle::generate
