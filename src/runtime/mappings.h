#pragma once
namespace heddle::rt {
void merge_mappings();
}
