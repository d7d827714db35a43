// What the parts of a driver are to each other.
//
// A driver is made of three files. The calls (calls.cpp, generated, on driver_calls.h) are instrumented like
// the class under test. The harness (driver_harness.cpp) is not: it keeps the books where neither a race
// detector nor a scheduler sees it. The state (state.cpp, generated, on driver_state.h) reads the object's
// private fields.
#pragma once

struct HeddleDriverThread;  // one that makes calls

// Where an object under test is, and what must be destroyed for it to end.
struct HeddleDriverPlace {
  void* object;
  void* owner;
  void (*destroy)(void* owner);  // null: nothing is to be done
};

struct HeddleDriverOperation {
  const char* label;
  void (*call)(HeddleDriverThread* thread);                    // null for a constructor
  void (*construct)(HeddleDriverPlace* place, bool is_other);  // null for all else
  bool takes_other;
  int gives;            // what kind of result later calls may take from it; -1: none
  const int* needs;     // kinds of results that it takes; ends with -1
  const int* fixtures;  // ends with -1
};

struct HeddleDriverFixture {
  void* (*make)();  // null: there is no object
};

extern "C" {

// The calls have:
extern const HeddleDriverOperation heddle_driver_operations[];
extern const unsigned heddle_driver_operation_count;
extern const HeddleDriverFixture heddle_driver_fixtures[];
extern const unsigned heddle_driver_fixture_count;
// Makes it, and gives its text or what it has thrown.
void heddle_driver_call(const HeddleDriverOperation* operation, HeddleDriverThread* thread);
// A write that traces show: this call begins now.
void heddle_driver_mark(unsigned call);

// The state has:
void heddle_driver_read_state(const void* object);

// The runtime has, if there is one: whether all of this is memory that has been allocated and not been freed.
__attribute__((weak)) bool heddle_rt_is_allocated(const void* memory, unsigned long size);

// The harness has:
void* heddle_driver_object(const HeddleDriverThread* thread);
void* heddle_driver_other(const HeddleDriverThread* thread);
void* heddle_driver_fixture(unsigned fixture);
void heddle_driver_give(HeddleDriverThread* thread, const char* text, unsigned long length, bool threw);
void heddle_driver_give_state(const char* text, unsigned long length);
// Results that later calls take. They live as long as the thread's part of the plan.
bool heddle_driver_saves(const HeddleDriverThread* thread, int kind);
void heddle_driver_save(HeddleDriverThread* thread, int kind, void* value, void* owner,
                        void (*destroy)(void*));
void* heddle_driver_saved(const HeddleDriverThread* thread, int kind);  // null: there is none
}
