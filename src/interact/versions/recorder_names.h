// What the recorder and those who start a build with it have agreed on.
#pragma once

namespace heddle::interact {

inline constexpr const char* kRecorder = "heddle-recorder";  // the executable, beside heddle
inline constexpr const char* kRecordedC = "heddle-cc";       // its names as CC and CXX
inline constexpr const char* kRecordedCxx = "heddle-c++";
inline constexpr const char* kStandInsVariable = "HEDDLE_STAND_INS";  // the folder with its names

}  // namespace heddle::interact
