#include "rich_subject.h"
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>


struct QuietListener : shop::Listener {
  void on_change(const shop::Key&, int) noexcept override {}
  int priority() const override { return 1; }
  const std::string& name() const override { static std::string value{"a"}; return value; }
};






struct Holds_logger_1 { shop::Logger logger_1 = shop::Logger("a"); };
shop::Logger logger_1 = shop::Logger("a");
struct Holds_logger_2 { shop::Logger logger_2 = shop::Logger("b"); };
shop::Logger logger_2 = shop::Logger("b");
struct Holds_listener_1 { QuietListener listener_1; };
QuietListener listener_1;
struct Holds_listener_2 { QuietListener listener_2; };
QuietListener listener_2;
struct Holds_listener_3 { std::shared_ptr<shop::Listener> listener_3 = std::make_shared<QuietListener>(); };
std::shared_ptr<shop::Listener> listener_3 = std::make_shared<QuietListener>();
struct Holds_listener_4 { std::shared_ptr<shop::Listener> listener_4 = std::make_shared<QuietListener>(); };
std::shared_ptr<shop::Listener> listener_4 = std::make_shared<QuietListener>();
struct Holds_values_1 { std::vector<std::string> values_1{"a", "b"}; };
std::vector<std::string> values_1{"a", "b"};
struct Holds_int_1 { int int_1 = 1; };
int int_1 = 1;
struct Holds_int_2 { int int_2 = 2; };
int int_2 = 2;
void construct_0() { shop::Stock object(2); }
void construct_1() { shop::Stock object(1); }
void construct_2() { shop::Stock object(3); }
void construct_3() { shop::Stock object = shop::Stock::make(shop::Level::kLow); }
void construct_4() { shop::Stock object = shop::Stock::make(shop::Level::kHigh); }
void construct_5() { shop::Stock object{}; }
void construct_6() { shop::Stock object("a", logger_1); }
void construct_7() { shop::Stock object("a", logger_2); }
auto call_8(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add("a"); }
auto call_9(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.add("a"); }
auto call_10(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add("b"); }
auto call_11(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add(""); }
auto call_12(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add("a longer text"); }
auto call_13(shop::Stock& object, shop::Stock& other, std::decay_t<int>& R1) -> decltype(auto) { (void)object; (void)other; return object.remove(R1); }
auto call_14(shop::Stock& object, shop::Stock& other, std::decay_t<int>& R1) -> decltype(auto) { (void)object; (void)other; return other.remove(R1); }
auto call_15(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(1); }
auto call_16(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(2); }
auto call_17(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(0); }
auto call_18(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(-1); }
auto call_19(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(7); }
auto call_20(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(std::numeric_limits<int>::max()); }
auto call_21(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.remove(std::numeric_limits<int>::min()); }
auto call_22(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.try_take(out); return std::pair(result, out); }(); }
auto call_23(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = other.try_take(out); return std::pair(result, out); }(); }
auto call_24(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::string out; object.take(out); return out; }(); }
auto call_25(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::string out; other.take(out); return out; }(); }
auto call_26(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, 1); return std::pair(result, out); }(); }
auto call_27(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = other.exchange(out, 1); return std::pair(result, out); }(); }
auto call_28(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, 2); return std::pair(result, out); }(); }
auto call_29(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out = 1; bool result = object.exchange(out, 1); return std::pair(result, out); }(); }
auto call_30(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, 0); return std::pair(result, out); }(); }
auto call_31(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out = 1; bool result = object.exchange(out, 2); return std::pair(result, out); }(); }
auto call_32(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, -1); return std::pair(result, out); }(); }
auto call_33(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out = 1; bool result = object.exchange(out, 0); return std::pair(result, out); }(); }
auto call_34(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, 7); return std::pair(result, out); }(); }
auto call_35(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out = 1; bool result = object.exchange(out, -1); return std::pair(result, out); }(); }
auto call_36(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, std::numeric_limits<int>::max()); return std::pair(result, out); }(); }
auto call_37(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out = 1; bool result = object.exchange(out, 7); return std::pair(result, out); }(); }
auto call_38(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { int out{}; bool result = object.exchange(out, std::numeric_limits<int>::min()); return std::pair(result, out); }(); }
auto call_39(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::array<char, 8> out{}; unsigned long result = object.read(out.data(), 1); return std::pair(result, out); }(); }
auto call_40(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::array<char, 8> out{}; unsigned long result = other.read(out.data(), 1); return std::pair(result, out); }(); }
auto call_41(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::array<char, 8> out{}; unsigned long result = object.read(out.data(), 2); return std::pair(result, out); }(); }
auto call_42(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::array<char, 8> out{}; unsigned long result = object.read(out.data(), 0); return std::pair(result, out); }(); }
auto call_43(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { std::array<char, 8> out{}; unsigned long result = object.read(out.data(), 7); return std::pair(result, out); }(); }
auto call_44(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.write(std::array<unsigned char, 8>{1, 2}.data(), 1); }
auto call_45(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.write(std::array<unsigned char, 8>{1, 2}.data(), 1); }
auto call_46(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.write(std::array<unsigned char, 8>{1, 2}.data(), 2); }
auto call_47(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.write(std::array<unsigned char, 8>{1, 2}.data(), 0); }
auto call_48(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.write(std::array<unsigned char, 8>{1, 2}.data(), 7); }
auto call_49(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(1)); }
auto call_50(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.put(shop::Key(1)); }
auto call_51(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(1), 1, true); }
auto call_52(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(2)); }
auto call_53(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(1), 2, false); }
auto call_54(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.put(R28.value()); }
auto call_55(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(2), 1, false); }
auto call_56(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(1, "a")); }
auto call_57(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(2), 2, true); }
auto call_58(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(2, "b")); }
auto call_59(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.put(R28.value(), 0, true); }
auto call_60(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.put(R28.value(), -1, false); }
auto call_61(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.put(shop::Key(1, "a"), 0, false); }
auto call_62(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.set_level(shop::Level::kLow); }
auto call_63(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.set_level(shop::Level::kLow); }
auto call_64(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.set_level(shop::Level::kHigh); }
auto call_65(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.set_options(shop::Options(1)); }
auto call_66(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.set_options(shop::Options(1)); }
auto call_67(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.set_options(shop::Options(2)); }
auto call_68(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.set_options(shop::Options{}); }
auto call_69(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add_all(other); }
auto call_70(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.add_all(object); }
auto call_71(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.add_all(object); }
auto call_72(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.swap(other); }
auto call_73(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.swap(object); }
auto call_74(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.swap(object); }
auto call_75(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.link(&other); }
auto call_76(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.link(&object); }
auto call_77(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.link(&object); }
auto call_78(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.link(nullptr); }
auto call_79(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.steal(std::move(other)); }
auto call_80(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.steal(std::move(object)); }
auto call_81(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe(&listener_1); }
auto call_82(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.subscribe(&listener_1); }
auto call_83(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe(&listener_2); }
auto call_84(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe(nullptr); }
auto call_85(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe_shared(listener_3); }
auto call_86(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.subscribe_shared(listener_3); }
auto call_87(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe_shared(listener_4); }
auto call_88(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.subscribe_shared(nullptr); }
auto call_89(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.own(std::make_unique<QuietListener>()); }
auto call_90(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.own(std::make_unique<QuietListener>()); }
auto call_91(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.own(nullptr); }
auto call_92(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.log_to(logger_1); }
auto call_93(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.log_to(logger_1); }
auto call_94(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.log_to(logger_2); }
auto call_95(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(1), [](int value) { return value + 1; }); }
auto call_96(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.update(shop::Key(1), [](int value) { return value + 1; }); }
auto call_97(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(1), [](int) { return 1; }); }
auto call_98(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(2), [](int value) { return value + 1; }); }
auto call_99(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(1), [](int) { return 2; }); }
auto call_100(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(2), [](int) { return 1; }); }
auto call_101(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.update(R28.value(), [](int value) { return value + 1; }); }
auto call_102(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(1), [](int) -> int { throw std::runtime_error("callback"); }); }
auto call_103(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(2), [](int) { return 2; }); }
auto call_104(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.update(R28.value(), [](int) { return 1; }); }
auto call_105(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(1, "a"), [](int value) { return value + 1; }); }
auto call_106(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.update(shop::Key(2), [](int) -> int { throw std::runtime_error("callback"); }); }
auto call_107(shop::Stock& object, shop::Stock& other, std::decay_t<std::optional<shop::Key>>& R28) -> decltype(auto) { (void)object; (void)other; return object.update(R28.value(), [](int) { return 2; }); }
auto call_108(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.on_empty([] {}); }
auto call_109(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.on_empty([] {}); }
auto call_110(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.on_empty([] { throw std::runtime_error("callback"); }); }
auto call_111(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.visit([](const shop::Key&, int&) {}); }
auto call_112(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.visit([](const shop::Key&, int&) { throw std::runtime_error("callback"); }); }
auto call_113(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.count_if([](int value) { return value > 1; }); }
auto call_114(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.count_if([](int) { return true; }); }
auto call_115(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.count_if([](int) { return false; }); }
auto call_116(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.count_if([](int) -> bool { throw std::runtime_error("callback"); }); }
auto call_117(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.for_each([](auto& value) { ++value; }); }
auto call_118(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.for_each([](auto&) {}); }
auto call_119(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.for_each([](auto&) { throw std::runtime_error("callback"); }); }
auto call_120(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(1); }
auto call_121(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.emplace(1); }
auto call_122(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(1, std::string("a")); }
auto call_123(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(); }
auto call_124(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(2); }
auto call_125(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(1, std::string("b")); }
auto call_126(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(std::string("a")); }
auto call_127(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(2, std::string("a")); }
auto call_128(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(2, std::string("b")); }
auto call_129(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(std::string("a"), std::string("a")); }
auto call_130(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.emplace(std::string("a"), std::string("b")); }
auto call_131(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.assign(values_1.begin(), values_1.end()); }
auto call_132(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.assign(values_1.begin(), values_1.end()); }
auto call_133(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.reserve(); }
auto call_134(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.reserve(); }
auto call_135(shop::Stock& object, shop::Stock& other, std::decay_t<shop::Ticket>& R26) -> decltype(auto) { (void)object; (void)other; return object.give_back(std::move(R26)); }
auto call_136(shop::Stock& object, shop::Stock& other, std::decay_t<shop::Ticket>& R26) -> decltype(auto) { (void)object; (void)other; return other.give_back(std::move(R26)); }
auto call_137(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.find("a"); }
auto call_138(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.find("b"); }
auto call_139(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.find(""); }
auto call_140(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.find("a longer text"); }
auto call_141(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1), __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1)); }
auto call_142(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1), __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1)); }
auto call_143(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1), __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2)); }
auto call_144(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2), __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1)); }
auto call_145(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1), __gnu_cxx::__normal_iterator<int*, std::vector<int>>{}); }
auto call_146(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2), __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2)); }
auto call_147(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>{}, __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_1)); }
auto call_148(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2), __gnu_cxx::__normal_iterator<int*, std::vector<int>>{}); }
auto call_149(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>{}, __gnu_cxx::__normal_iterator<int*, std::vector<int>>(&int_2)); }
auto call_150(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.erase(__gnu_cxx::__normal_iterator<int*, std::vector<int>>{}, __gnu_cxx::__normal_iterator<int*, std::vector<int>>{}); }
auto call_151(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.begin(); }
auto call_152(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.begin(); }
auto call_153(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.end(); }
auto call_154(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.end(); }
auto call_155(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.wait_for(std::chrono::milliseconds(1)); }
auto call_156(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.wait_for(std::chrono::milliseconds(1)); }
auto call_157(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.wait_for(std::chrono::milliseconds(0)); }
auto call_158(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.fill(std::vector<int>{1}); }
auto call_159(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.fill(std::vector<int>{1}); }
auto call_160(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.fill(std::vector<int>{1, 2, 0}); }
auto call_161(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.fill(std::vector<int>{}); }
auto call_162(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.rename(std::map<int, std::string>{{1, "a"}}); }
auto call_163(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.rename(std::map<int, std::string>{{1, "a"}}); }
auto call_164(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.rename(std::map<int, std::string>{{1, "a"}, {2, "b"}, {0, ""}}); }
auto call_165(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.rename(std::map<int, std::string>{}); }
auto call_166(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.choose(std::variant<int, std::string>{1}); }
auto call_167(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.choose(std::variant<int, std::string>{1}); }
auto call_168(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.choose(std::variant<int, std::string>{std::string("a")}); }
auto call_169(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.limit(1); }
auto call_170(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other.limit(1); }
auto call_171(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.limit(2); }
auto call_172(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.limit(std::nullopt); }
auto call_173(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R22) -> decltype(auto) { (void)object; (void)other; return object.at(R22); }
auto call_174(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R22) -> decltype(auto) { (void)object; (void)other; return other.at(R22); }
auto call_175(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R48) -> decltype(auto) { (void)object; (void)other; return object.at(R48); }
auto call_176(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.at(0); }
auto call_177(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.at(1); }
auto call_178(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.at(2); }
auto call_179(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.at(7); }
auto call_180(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.at(std::numeric_limits<unsigned long>::max()); }
auto call_181(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R22) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(R22); }
auto call_182(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R48) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(R48); }
auto call_183(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(0); }
auto call_184(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(1); }
auto call_185(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(2); }
auto call_186(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(7); }
auto call_187(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return std::as_const(object).at(std::numeric_limits<unsigned long>::max()); }
auto call_188(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R22) -> decltype(auto) { (void)object; (void)other; return object[R22]; }
auto call_189(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R22) -> decltype(auto) { (void)object; (void)other; return other[R22]; }
auto call_190(shop::Stock& object, shop::Stock& other, std::decay_t<unsigned long>& R48) -> decltype(auto) { (void)object; (void)other; return object[R48]; }
auto call_191(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object[0]; }
auto call_192(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object[1]; }
auto call_193(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object[2]; }
auto call_194(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object += 1; }
auto call_195(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other += 1; }
auto call_196(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object += 2; }
auto call_197(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object += 0; }
auto call_198(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object += 7; }
auto call_199(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return ++object; }
auto call_200(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return ++other; }
auto call_201(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object++; }
auto call_202(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other++; }
auto call_203(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object(1); }
auto call_204(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return other(1); }
auto call_205(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object(2); }
auto call_206(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object(0); }
auto call_207(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object(7); }
auto call_208(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return static_cast<bool>(object); }
auto call_209(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.empty(); }
auto call_210(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object.size(); }
auto call_211(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return shop::Stock::stocks(); }
auto call_212(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return [&] { shop::Stock copy(object); return std::tuple(copy.empty(), copy.size()); }(); }
auto call_213(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object = other; }
auto call_214(shop::Stock& object, shop::Stock& other) -> decltype(auto) { (void)object; (void)other; return object == other; }
