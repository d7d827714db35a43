// The folders of runs: what is in them is read, then removed, whatever a program has made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::sandbox {

// Appends the files in an open folder, as in wire::Reply. Of more than `most_bytes` in all, the rest is left
// out.
void append_files(int folder, uint64_t most_bytes, std::string* text);

// Removes all that is in it, but for these entries.
void empty_folder(const std::string& path, const std::vector<std::string>& kept);

}  // namespace heddle::sandbox
