// The bytes in which a history keeps what a test did in a function.
//
// Numbers take as many bytes as they need (LEB128), lines are differences, and texts are named by their
// hashes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "history/test_record.h"

namespace heddle {

// "3 main main/1 main/2": a set as one text.
std::string to_text(const ThreadSet& set);
ThreadSet parse_thread_set(std::string_view text);

// `name` gives the hash of a text, and sees to it that the text is kept. File and function are not part of
// it.
std::string encode(const FunctionActivity& activity, const std::function<uint64_t(const std::string&)>& name);
// The inverse. False if these bytes cannot have been made by encode().
bool decode(std::string_view bytes, const std::function<std::string(uint64_t)>& text,
            FunctionActivity* activity);

// Hashes one after the other, eight bytes each.
void append_id(std::string* ids, uint64_t id);
uint64_t id_at(std::string_view ids, size_t index);

}  // namespace heddle
