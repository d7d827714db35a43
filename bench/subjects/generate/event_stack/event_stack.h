// EventStack: the events of one run, the latest on top.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace lockfree {

// Thread-safe without locks. An event that has been pushed keeps its memory until the stack is destroyed,
// so no place ever means two events.
class EventStack {
 public:
  EventStack() = default;
  EventStack(const EventStack&) = delete;
  EventStack& operator=(const EventStack&) = delete;
  ~EventStack();

  void push(int event);
  // Only if the stack is as high as that. False if it is not.
  bool push_at(size_t height, int event);
  std::optional<int> pop();
  // The latest one first.
  std::vector<int> pop_all();
  // All that were pushed after the stack was as high as that. How many.
  size_t cut(size_t height);

  std::optional<int> top() const;
  size_t size() const;
  bool empty() const { return size() == 0; }
  bool contains(int event) const;
  // The latest one first.
  std::vector<int> to_vector() const;

 private:
  struct Node {
    const int event;
    const Node* below = nullptr;  // not changed once others can see the node
    size_t height = 0;            // nor is this
    Node* made_before = nullptr;
  };

  static size_t height_of(const Node* node) { return node == nullptr ? 0 : node->height; }
  static std::vector<int> from(const Node* node);
  Node* make(int event);

  std::atomic<const Node*> top_{nullptr};
  std::atomic<Node*> made_{nullptr};  // all nodes, for the destructor
};

}  // namespace lockfree
