// expect: detect deadlock any in View::on_change, Model::remove
// expect: predict deadlock harmful in View::on_change, Model::remove
// A model calls its view while it holds its lock; the view, when it closes, calls the model while it holds
// its own.
// Heddle: a deadlock whose two halves are in different classes.
// Passes: under the default schedule, where the change comes before the close.
#include <cstdio>
#include <mutex>
#include <thread>

class View;

class Model {
 public:
  void change(int value);
  void remove();
  View* view = nullptr;

 private:
  std::mutex mutex_;
  int value_ = 0;
};

class View {
 public:
  explicit View(Model& model) : model_(model) {}
  void on_change(int value) {
    std::lock_guard lock(mutex_);
    shown_ = value;
  }
  void close() {
    std::lock_guard lock(mutex_);
    model_.remove();
    open_ = false;
  }
  bool is_open() const { return open_; }

 private:
  std::mutex mutex_;
  Model& model_;
  int shown_ = 0;
  bool open_ = true;
};

void Model::change(int value) {
  std::lock_guard lock(mutex_);
  value_ = value;
  if (view != nullptr) view->on_change(value_);
}

void Model::remove() {
  std::lock_guard lock(mutex_);
  view = nullptr;
}

int main() {
  Model model;
  View view(model);
  model.view = &view;
  std::thread changer([&] { model.change(3); });
  std::thread closer([&] { view.close(); });
  changer.join();
  closer.join();
  std::printf("%s\n", view.is_open() ? "open" : "closed");
}
