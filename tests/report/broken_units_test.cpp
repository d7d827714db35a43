#include "report/broken_units.h"

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "report/predicted_stories.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

// Two threads that call charge(), which calls load() at line 15 and save() at line 16.
class BrokenUnits : public testing::Test {
 protected:
  BrokenUnits() {
    symbolizer_.function("charge", 10, 19).function("load", 20, 29).function("save", 30, 39);
    symbolizer_.variable("bytes", bytes_.offset, 8).variable("requests", requests_.offset, 8);
  }

  void load(TraceBuilder::Thread& thread, TraceBuilder::Location from) {
    thread.call(15).read(from).at(20).leave();
  }
  void save(TraceBuilder::Thread& thread, TraceBuilder::Location to) {
    thread.call(16).write(to).at(30).leave();
  }

  // Events 0 to 3 are those of the threads' creation.
  std::string sentence(std::vector<uint64_t> events) {
    trace_ = builder_.build();
    ReportContext context(trace_, symbolizer_);
    EXPECT_NE(tell_pattern(context, kNotSerializable, "unused", events).message.find("(not serializable)"),
              std::string::npos);
    return broken_units_sentence(context, events);
  }

  FakeSymbolizer symbolizer_;
  TraceBuilder builder_;
  TraceBuilder::Location bytes_ = builder_.global();
  TraceBuilder::Location requests_ = builder_.global();
  TraceBuilder::Thread main_ = builder_.main_thread();
  TraceBuilder::Thread first_ = main_.fork();
  TraceBuilder::Thread second_ = main_.fork();
  Trace trace_;
};

TEST_F(BrokenUnits, LostUpdate) {
  load(first_, bytes_);
  load(second_, bytes_);
  save(second_, bytes_);
  save(first_, bytes_);
  EXPECT_EQ(sentence({4, 5, 6, 7}),
            "charge by main/1 read `bytes`, then charge by main/2 changed it, then main/1 wrote what it "
            "had computed from the old value");
}

TEST_F(BrokenUnits, WriteOfSomethingElse) {
  load(first_, requests_);
  load(second_, bytes_);
  save(second_, requests_);
  save(first_, bytes_);
  EXPECT_EQ(sentence({4, 5, 6, 7}),
            "charge by main/1 read `requests`, then charge by main/2 changed it, then main/1 wrote `bytes` "
            "on the basis of the old value");
}

TEST_F(BrokenUnits, ReadsOfTwoStates) {
  load(first_, bytes_);
  save(second_, bytes_);
  save(second_, requests_);
  load(first_, requests_);
  EXPECT_EQ(
      sentence({4, 5, 6, 7}),
      "load by main/1 read `bytes`, then save by main/2 changed it, then main/1 read `requests`: it saw "
      "some of the change, and not all");
}

TEST_F(BrokenUnits, AnyOtherShapeNamesTheUnits) {
  save(first_, bytes_);
  save(second_, bytes_);
  save(second_, requests_);
  save(first_, requests_);
  EXPECT_EQ(sentence({4, 5, 6, 7}),
            "no order of save by main/1 and save by main/2, one after the other, does the same");
}

}  // namespace
}  // namespace heddle
