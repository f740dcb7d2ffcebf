#pragma once

namespace flaim {

// 128-bit integers: a compiler extension on every platform that we build for, named once here.
__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace flaim
