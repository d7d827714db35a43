#include "event_stack.h"

namespace lockfree {

EventStack::~EventStack() {
  Node* node = made_.load(std::memory_order_acquire);
  while (node != nullptr) {
    Node* before = node->made_before;
    delete node;
    node = before;
  }
}

EventStack::Node* EventStack::make(int event) {
  Node* node = new Node{.event = event};
  node->made_before = made_.load(std::memory_order_relaxed);
  while (!made_.compare_exchange_weak(node->made_before, node, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
  return node;
}

void EventStack::push(int event) {
  Node* node = make(event);
  const Node* top = top_.load(std::memory_order_acquire);
  do {
    node->below = top;
    node->height = height_of(top) + 1;
  } while (!top_.compare_exchange_weak(top, node, std::memory_order_acq_rel, std::memory_order_acquire));
}

bool EventStack::push_at(size_t height, int event) {
  const Node* top = top_.load(std::memory_order_acquire);
  if (height_of(top) != height) return false;
  Node* node = make(event);
  do {
    if (height_of(top) != height) return false;
    node->below = top;
    node->height = height + 1;
  } while (!top_.compare_exchange_weak(top, node, std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

std::optional<int> EventStack::pop() {
  const Node* top = top_.load(std::memory_order_acquire);
  while (top != nullptr) {
    if (top_.compare_exchange_weak(top, top->below, std::memory_order_acq_rel, std::memory_order_acquire))
      return top->event;
  }
  return std::nullopt;
}

std::vector<int> EventStack::pop_all() {
  return from(top_.exchange(nullptr, std::memory_order_acq_rel));
}

size_t EventStack::cut(size_t height) {
  const Node* top = top_.load(std::memory_order_acquire);
  while (height_of(top) > height) {
    const Node* rest = top;
    while (height_of(rest) > height) rest = rest->below;
    if (top_.compare_exchange_weak(top, rest, std::memory_order_acq_rel, std::memory_order_acquire))
      return top->height - height;
  }
  return 0;
}

std::optional<int> EventStack::top() const {
  const Node* top = top_.load(std::memory_order_acquire);
  if (top == nullptr) return std::nullopt;
  return top->event;
}

size_t EventStack::size() const {
  return height_of(top_.load(std::memory_order_acquire));
}

bool EventStack::contains(int event) const {
  for (const Node* node = top_.load(std::memory_order_acquire); node != nullptr; node = node->below) {
    if (node->event == event) return true;
  }
  return false;
}

std::vector<int> EventStack::to_vector() const {
  return from(top_.load(std::memory_order_acquire));
}

std::vector<int> EventStack::from(const Node* node) {
  std::vector<int> events;
  for (; node != nullptr; node = node->below) events.push_back(node->event);
  return events;
}

}  // namespace lockfree
