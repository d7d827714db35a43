// Mutation: makes inputs of inputs: changes of their texts, of how many arguments there are and in which
// order, and of two inputs one.
#pragma once

#include "interact/fuzz/dictionary.h"
#include "interact/fuzz/input_room.h"
#include "interact/fuzz/random.h"
#include "interact/fuzz/text_mutation.h"

namespace heddle::fuzz {

class Mutation {
 public:
  // All must outlive it.
  Mutation(const InputRoom& room, const Dictionary& dictionary, Random& random)
      : room_(room), dictionary_(dictionary), random_(random), texts_(random, dictionary) {}

  // Parts may be taken from `other`. The result is within the room, and may be the input itself.
  concolic::ProgramInput mutate(const concolic::ProgramInput& input, const concolic::ProgramInput& other);

 private:
  void change_once(concolic::ProgramInput* input, const concolic::ProgramInput& other);
  void change_text(concolic::ProgramInput* input, const concolic::ProgramInput& other);
  void change_arguments(std::vector<std::string>* arguments, const concolic::ProgramInput& other);
  void split_or_join(std::vector<std::string>* arguments);
  void recombine(concolic::ProgramInput* input, const concolic::ProgramInput& other);
  std::string new_argument(const std::vector<std::string>& arguments, const concolic::ProgramInput& other);
  bool has_room(const concolic::ProgramInput& input, size_t text) const;

  const InputRoom& room_;
  const Dictionary& dictionary_;
  Random& random_;
  TextMutation texts_;
};

}  // namespace heddle::fuzz
