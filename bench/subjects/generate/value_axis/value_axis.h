// ValueAxis: the numbers along one side of a chart, and who wants to know when they change.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace charts {

// Thread-safe. Listeners are called by the thread that made the change, without a lock, so that they may
// use the axis.
class ValueAxis {
 public:
  using Range = std::pair<double, double>;
  using Listener = std::function<void(double lower, double upper)>;

  ValueAxis() = default;  // from 0 to 1
  ValueAxis(double lower, double upper);
  ValueAxis(const ValueAxis&) = delete;
  ValueAxis& operator=(const ValueAxis&) = delete;

  Range range() const;
  double lower_bound() const { return range().first; }
  double upper_bound() const { return range().second; }
  double length() const;
  bool contains(double value) const;

  // The lower bound must be less than the upper one.
  void set_range(double lower, double upper);
  // The other bound stays where it is, or goes one further if it would not be on its side any more.
  void set_lower_bound(double lower);
  void set_upper_bound(double upper);
  // Makes the range so many times as long; its middle stays.
  void zoom(double factor);

  bool is_inverted() const;
  void set_inverted(bool inverted);

  // By this number it can be removed.
  int add_listener(Listener listener);
  bool remove_listener(int number);
  size_t listener_count() const;

 private:
  void notify() const;

  mutable std::mutex mutex_;
  double lower_ = 0;
  double upper_ = 1;
  bool inverted_ = false;
  int last_number_ = 0;
  std::map<int, Listener> listeners_;
};

}  // namespace charts
