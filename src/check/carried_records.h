// Records of other revisions, told in terms of the base.
//
// A test need not be recorded again on every commit: as long as nothing that it executes has changed since,
// it does the same, on other lines. If something has, what it would do now is not known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/revision.h"
#include "change/source_change.h"
#include "check/changed_code.h"
#include "history/test_records.h"

namespace heddle {

// From the tree of some records to that of the base.
class RecordCarrier {
 public:
  explicit RecordCarrier(SourceChange since);
  // Nothing if what the test executed has changed.
  std::optional<TestRecord> carry(const TestRecord& record);

 private:
  using Activity = std::shared_ptr<const FunctionActivity>;
  const Activity& moved_activity(const Activity& activity);
  Activity move(const Activity& activity) const;
  bool move_line(uint32_t column, uint32_t* line, std::string* file) const;

  SourceChange change_;
  ChangedCode changed_;
  std::set<std::string> files_;  // that differ, as the records name them
  bool is_usable_ = true;
  std::map<Activity, Activity> moved_;  // null: it has changed
};

// What is known of tests on other trees becomes what is known of them on `base`, where that is certain: then
// they count as records of it. Returns how many that are.
size_t carry_records(const Repository& repository, const Revision& base, std::vector<KnownTest>& tests);

}  // namespace heddle
