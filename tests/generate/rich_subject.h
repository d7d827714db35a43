// What rich_model.h describes: a class whose methods take all kinds of arguments. Only declared, since it is
// only compiled against.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace shop {

enum class Level { kLow, kHigh };

struct Key {
  explicit Key(int number);
  Key(int number, std::string name);
};

struct Options {
  int retries = 1;
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_change(const Key& key, int value) noexcept = 0;
  virtual int priority() const = 0;
  virtual const std::string& name() const = 0;
};

class Logger {
 public:
  explicit Logger(std::string name);
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;
};

class Ticket {
 public:
  Ticket(Ticket&&) = default;
  Ticket& operator=(Ticket&&) = default;

 private:
  Ticket() = default;
  friend class Stock;
};

class Socket {
  Socket();
};

class Stock {
 public:
  using iterator = std::vector<int>::iterator;

  Stock();
  explicit Stock(std::size_t capacity);
  Stock(std::string name, Logger& logger);
  Stock(const Stock&);
  Stock& operator=(const Stock&);
  static Stock make(Level level);

  int add(const std::string& item);
  void remove(int id);
  bool try_take(int& value);
  void take(std::string& name);
  bool exchange(int& expected, int desired);
  std::size_t read(char* buffer, std::size_t size);
  void write(const unsigned char* data, std::size_t size);
  bool put(const Key& key, int value = 0, bool force = false);
  void set_level(Level level);
  void set_options(Options options);
  void add_all(const Stock& from);
  void swap(Stock& with);
  void link(Stock* next);
  void steal(Stock&& from);
  void subscribe(Listener* listener);
  void subscribe_shared(std::shared_ptr<Listener> listener);
  void own(std::unique_ptr<Listener> listener);
  void log_to(Logger& logger);
  void update(const Key& key, const std::function<int(int)>& change);
  void on_empty(void (*callback)());
  void visit(const std::function<void(const Key&, int&)>& visitor) const;
  std::size_t count_if(const std::function<bool(int)>& predicate) const;
  template <typename Function>
  void for_each(Function function) const {
    int number = 1;
    function(number);
  }
  template <typename... Arguments>
  void emplace(Arguments&&...) {}
  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    for (; first != last; ++first) {
    }
  }
  Ticket reserve();
  void give_back(Ticket ticket);
  std::optional<Key> find(std::string_view name) const;
  void erase(iterator first, iterator last);
  iterator begin();
  iterator end();
  bool wait_for(std::chrono::milliseconds timeout);
  void fill(const std::vector<int>& values);
  void rename(const std::map<int, std::string>& names);
  void choose(const std::variant<int, std::string>& choice);
  void limit(std::optional<int> limit);
  void connect(Socket& socket);
  void print(std::ostream& out) const;
  int& at(std::size_t index);
  const int& at(std::size_t index) const;
  int& operator[](std::size_t index);
  Stock& operator+=(int number);
  Stock& operator++();
  Stock operator++(int);
  bool operator()(int number);
  explicit operator bool() const;
  bool empty() const;
  std::size_t size() const;
  static int stocks();

 private:
  std::mutex mutex_;
  std::map<int, std::string> items_;
  std::vector<Listener*> listeners_;
};

bool operator==(const Stock& one, const Stock& other);

}  // namespace shop
