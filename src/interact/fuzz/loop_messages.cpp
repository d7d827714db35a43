#include "interact/fuzz/loop_messages.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "interact/fast/host/frame.h"

namespace heddle::fuzz {
namespace {

// A message is described once, by `fields()` of both of these: one writes what the other reads.
class Writer {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::string take() { return frame_.take(); }

 private:
  template <typename Value>
  void put(const Value& value);
  void put(const std::string& value) { frame_.text(value); }
  void put(const concolic::ProgramInput& value) { frame_.input(value); }
  void put(const std::vector<uint16_t>& values) { bytes(values); }
  void put(const std::vector<uint32_t>& values) { bytes(values); }
  template <typename Value>
  void bytes(const std::vector<Value>& values) {
    frame_.text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)});
  }
  template <typename Value>
  void put(const std::vector<Value>& values) {
    frame_.number(values.size());
    for (const Value& value : values) put(value);
  }

  fast::FrameWriter frame_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : frame_(text) {}
  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  bool is_whole() const { return frame_.is_whole(); }

 private:
  template <typename Value>
  void get(Value& value);
  void get(std::string& value) { value = frame_.text(); }
  void get(concolic::ProgramInput& value) { value = frame_.input(); }
  void get(std::vector<uint16_t>& values) { bytes(values); }
  void get(std::vector<uint32_t>& values) { bytes(values); }
  template <typename Value>
  void bytes(std::vector<Value>& values) {
    const std::string text = frame_.text();
    values.resize(text.size() / sizeof(Value));
    std::memcpy(values.data(), text.data(), values.size() * sizeof(Value));
  }
  template <typename Value>
  void get(std::vector<Value>& values) {
    for (uint64_t count = frame_.number(); count > 0 && is_whole(); --count) get(values.emplace_back());
  }

  fast::FrameReader frame_;
};

template <typename Archive, typename One, typename Other>
void fields(Archive& archive, std::pair<One, Other>& value) {
  archive(value.first, value.second);
}
template <typename Archive>
void fields(Archive& archive, concolic::ArgumentLimit& value) {
  archive(value.fixed_prefix, value.longest);
}
template <typename Archive>
void fields(Archive& archive, InputRoom& value) {
  concolic::InputLimits& limits = value.limits;
  archive(limits.has_fixed_count, limits.arguments, limits.least_arguments, limits.most_arguments,
          limits.longest_argument, limits.longest_standard_input, limits.longest_file, value.fixed);
}
template <typename Archive>
void fields(Archive& archive, GraphView::Node& value) {
  archive(value.is_change, value.is_flat);
}
template <typename Archive>
void fields(Archive& archive, GraphView& value) {
  archive(value.nodes, value.edges, value.starts, value.node_of_mark);
}
template <typename Archive>
void fields(Archive& archive, DistanceTable& value) {
  archive(value.nodes, value.distances);
}
template <typename Archive>
void fields(Archive& archive, LoopSettings& value) {
  archive(value.guidance, value.seed, value.room, value.graph, value.distances, value.words, value.avoided,
          value.ignored, value.golden);
}
template <typename Archive>
void fields(Archive& archive, SliceRequest& value) {
  archive(value.milliseconds, value.cpu_milliseconds, value.most_executions, value.seeds, value.done);
}
template <typename Archive>
void fields(Archive& archive, FoundDifference& value) {
  archive(value.input, value.has_trace, value.nodes, value.changes, value.at_execution, value.way,
          value.wrong_for, value.is_new_kind, value.damages_heap);
}
template <typename Archive>
void fields(Archive& archive, KeptForCorpus& value) {
  archive(value.input, value.has_trace, value.nodes, value.changes, value.has_new_step);
}
template <typename Archive>
void fields(Archive& archive, TracedInputs& value) {
  archive(value.nodes, value.changes, value.repeated);
}
template <typename Archive>
void fields(Archive& archive, TracedCount& value) {
  archive(value.trace, value.way, value.inputs);
}
template <typename Archive>
void fields(Archive& archive, SliceReport& value) {
  archive(value.executions, value.in_processes, value.differing, value.corpus, value.edges, value.since_new,
          value.is_exhausted, value.new_traces, value.counts, value.nearest);
}

template <typename Value>
constexpr bool kIsNumber = std::is_integral_v<Value> || std::is_enum_v<Value>;

template <typename Value>
void Writer::put(const Value& value) {
  if constexpr (kIsNumber<Value>) {
    frame_.number(static_cast<uint64_t>(value));
  } else {
    fields(*this, const_cast<Value&>(value));  // which reads it only
  }
}

template <typename Value>
void Reader::get(Value& value) {
  if constexpr (kIsNumber<Value>) {
    value = static_cast<Value>(frame_.number());
  } else {
    fields(*this, value);
  }
}

template <typename Message>
std::string written(const Message& message) {
  Writer writer;
  writer(message);
  return writer.take();
}

template <typename Message>
std::optional<Message> read(std::string_view text) {
  Reader reader(text);
  Message message;
  reader(message);
  if (!reader.is_whole()) return std::nullopt;
  return message;
}

}  // namespace

std::string to_text(const LoopSettings& value) {
  return written(value);
}
std::string to_text(const SliceRequest& value) {
  return written(value);
}
std::string to_text(const FoundDifference& value) {
  return written(value);
}
std::string to_text(const KeptForCorpus& value) {
  return written(value);
}
std::string to_text(const SliceReport& value) {
  return written(value);
}

std::optional<LoopSettings> settings_from(std::string_view text) {
  return read<LoopSettings>(text);
}
std::optional<SliceRequest> request_from(std::string_view text) {
  return read<SliceRequest>(text);
}
std::optional<FoundDifference> difference_from(std::string_view text) {
  return read<FoundDifference>(text);
}
std::optional<KeptForCorpus> kept_from(std::string_view text) {
  return read<KeptForCorpus>(text);
}
std::optional<SliceReport> report_from(std::string_view text) {
  return read<SliceReport>(text);
}

}  // namespace heddle::fuzz
