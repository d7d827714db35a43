// The numbers of lambdas in linkage names.
//
// Clang numbers the lambdas of all that it compiles as one ("$_7"): one more in a header, or another choice
// of units to compile together, gives all that come later other names. So such a name means nothing in
// another compilation, unless the numbers in it are known to stand for the same lambdas.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heddle::select {

bool has_lambda_number(std::string_view linkage_name);

// "_ZN1a3$_78__invokeEv", where `other` gives "12" for "7", is "_ZN1a4$_128__invokeEv".
std::string with_lambda_numbers(std::string_view linkage_name,
                                const std::function<std::string(std::string_view)>& other);

// Of the lambda whose call operator it is; empty if it is none.
std::string_view lambda_called(std::string_view linkage_name);

}  // namespace heddle::select
