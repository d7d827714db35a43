#include "symbolize/function_name.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(FunctionName, FullNameHasParametersAndNoCloneSuffix) {
  EXPECT_EQ(full_function_name("_ZN5Queue4pushEi"), "Queue::push(int)");
  EXPECT_EQ(full_function_name("_ZN5Queue4pushEi.constprop.0"), "Queue::push(int)");
  EXPECT_EQ(full_function_name("main"), "main");
  EXPECT_EQ(full_function_name("worker.isra.0"), "worker");
}

TEST(FunctionName, ShortNameDropsParametersAndTemplateArguments) {
  EXPECT_EQ(short_function_name("_ZN5Queue4pushEi"), "Queue::push");
  EXPECT_EQ(short_function_name("_ZN5QueueIiE4pushEi"), "Queue::push");
  EXPECT_EQ(short_function_name("_ZNSt6vectorIiSaIiEE9push_backERKi"), "std::vector::push_back");
  EXPECT_EQ(short_function_name("_Z3addIiET_S0_"), "add");
  EXPECT_EQ(short_function_name("_ZNK5Queue4sizeEv"), "Queue::size");
}

TEST(FunctionName, ShortNameOfAnythingElseIsTheNameItself) {
  EXPECT_EQ(short_function_name("main"), "main");
  EXPECT_EQ(short_function_name("worker.part.1"), "worker");
  EXPECT_EQ(short_function_name("_Zgarbage"), "_Zgarbage");
  EXPECT_EQ(short_function_name(""), "");
}

TEST(FunctionName, ShortNameHidesAnonymousNamespaces) {
  EXPECT_EQ(short_function_name("_ZN12_GLOBAL__N_16workerEv"), "worker");
}

TEST(FunctionName, LambdasOfBothCompilersLookTheSame) {
  EXPECT_EQ(short_function_name("_ZZ4mainENKUlvE_clEv"), "main::{lambda}");   // gcc
  EXPECT_EQ(short_function_name("_ZZ4mainENKUlvE0_clEv"), "main::{lambda}");  // the next one
  EXPECT_EQ(short_function_name("_ZZ4mainENK3$_0clEv"), "main::{lambda}");    // clang
  EXPECT_EQ(short_function_name("_ZZN4Pool3runEvENKUliE_clEi"), "Pool::run::{lambda}");
  EXPECT_EQ(short_function_name("_ZZ7collectIiEvT_ENKUlvE_clEv"), "collect::{lambda}");  // of a template
  EXPECT_EQ(short_function_name("operator()"), "{lambda}");                              // gcc, inlined
  EXPECT_EQ(short_function_name("_ZZNK4Pool3runEvENKUliE_clEi"), "Pool::run::{lambda}");
}

TEST(FunctionName, OperatorsKeepTheirPunctuation) {
  EXPECT_EQ(short_function_name("_ZN1AlsEi"), "A::operator<<");
  EXPECT_EQ(short_function_name("_ZN1AltEi"), "A::operator<");
  EXPECT_EQ(short_function_name("_ZN1AltIiEEbT_"), "A::operator<");
  EXPECT_EQ(short_function_name("_ZN1AlsIiEEbT_"), "A::operator<<");
  EXPECT_EQ(short_function_name("_ZN1AclEi"), "A::operator()");
  EXPECT_EQ(short_function_name("_ZN1AptEv"), "A::operator->");
  EXPECT_EQ(short_function_name("_ZN1AcvbEv"), "A::operator bool");
}

TEST(FunctionName, TypeNames) {
  EXPECT_EQ(type_name("St13runtime_error"), "std::runtime_error");
  EXPECT_EQ(type_name("i"), "int");
  EXPECT_EQ(type_name("N4bank9OverdrawnE"), "bank::Overdrawn");
  EXPECT_EQ(type_name("std::runtime_error"), "std::runtime_error");
}

}  // namespace
}  // namespace heddle
