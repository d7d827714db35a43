#include "change/readable_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ReadableText, LooksAsPeopleWriteIt) {
  const std::pair<const char*, const char*> kCases[] = {
      {"a . push ( x , y ) ;", "a.push(x, y);"},
      {"std :: lock_guard < std :: mutex > lock ( mutex_ ) ;", "std::lock_guard<std::mutex> lock(mutex_);"},
      {"if ( ! names )", "if (!names)"},
      {"return tl :: unexpected ( names . error ( ) ) ;", "return tl::unexpected(names.error());"},
      {"size_ -- ;", "size_--;"},
      {"++ count ;", "++count;"},
      {"x = - y - * p ;", "x = -y - *p;"},
      {"a < b && c > d", "a < b && c > d"},
      {"p -> next [ i ] = { 1 , 2 } ;", "p->next[i] = {1, 2};"},
      {"return Analysed { . events = n , . bytes = 2 } ;", "return Analysed{.events = n, .bytes = 2};"},
      {"f ( [ & ] ( int i ) { } ) ;", "f([&](int i) {});"},
      {"std :: map < int , std :: vector < int > > m ;", "std::map<int, std::vector<int>> m;"},
      {"const auto & [ key , value ] = * begin ( ) ;", "const auto & [key, value] = *begin();"},
      {"fmt :: print ( \"{} ( {}\" , a ) ;", "fmt::print(\"{} ( {}\", a);"},
      {"while ( head_ == tail_ )", "while (head_ == tail_)"},
      {"return ;", "return;"},
      {"", ""},
  };
  for (const auto& [spaced, wanted] : kCases) EXPECT_EQ(readable_text(spaced), wanted);
}

}  // namespace
}  // namespace heddle
