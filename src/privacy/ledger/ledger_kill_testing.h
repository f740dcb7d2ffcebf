#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>

#include "base/check.h"

namespace flaim::testing_support {

// SQLite's own file system, with a process that ends without warning at the n-th write, sync, truncation or deletion:
// of a write, half has then happened. For tests only, in a child process that does nothing else.
//
// What the process wrote is there for the next one, so syncs are counted but not made: this is about killed processes.
// For lost power see SimulatedDisk.
class KillingFileSystem {
 public:
  static constexpr int kKilled = 77;  // the exit code

  // 0: never.
  static void Install(std::int64_t killing_operation) {
    Shared() = {sqlite3_vfs_find(nullptr), killing_operation};
    static sqlite3_vfs vfs = *Shared().real;
    vfs.iVersion = 1;
    vfs.pNext = nullptr;
    vfs.zName = "flaim-killing";
    vfs.szOsFile = static_cast<int>(sizeof(OpenFile)) + Shared().real->szOsFile;
    vfs.xOpen = Open;
    vfs.xDelete = Delete;
    CHECK(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
  }

 private:
  struct State {
    sqlite3_vfs* real;
    std::int64_t operations_left;
  };
  // The real file follows in memory.
  struct OpenFile {
    sqlite3_file base;
    sqlite3_file* real;
  };

  static State& Shared() {
    static State state{};
    return state;
  }
  static sqlite3_file* Real(sqlite3_file* file) { return reinterpret_cast<OpenFile*>(file)->real; }
  static bool IsLast() { return Shared().operations_left > 0 && --Shared().operations_left == 0; }
  static void Live() {
    if (IsLast()) _exit(kKilled);
  }

  static int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    auto* open = reinterpret_cast<OpenFile*>(file);
    open->real = reinterpret_cast<sqlite3_file*>(open + 1);
    const int code = Shared().real->xOpen(Shared().real, name, open->real, flags, out_flags);
    open->base.pMethods = open->real->pMethods == nullptr ? nullptr : &kMethods;
    return code;
  }
  static int Delete(sqlite3_vfs*, const char* name, int) {
    Live();
    return Shared().real->xDelete(Shared().real, name, /*syncDir=*/0);
  }
  static int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    if (IsLast()) {
      Real(file)->pMethods->xWrite(Real(file), bytes, size / 2, offset);
      _exit(kKilled);
    }
    return Real(file)->pMethods->xWrite(Real(file), bytes, size, offset);
  }
  static int Truncate(sqlite3_file* file, sqlite3_int64 size) {
    Live();
    return Real(file)->pMethods->xTruncate(Real(file), size);
  }
  static int Sync(sqlite3_file*, int) {
    Live();
    return SQLITE_OK;
  }

  static constexpr sqlite3_io_methods kMethods = {
      .iVersion = 1,
      .xClose = [](sqlite3_file* file) { return Real(file)->pMethods->xClose(Real(file)); },
      .xRead = [](sqlite3_file* file, void* out, int size,
                  sqlite3_int64 offset) { return Real(file)->pMethods->xRead(Real(file), out, size, offset); },
      .xWrite = Write,
      .xTruncate = Truncate,
      .xSync = Sync,
      .xFileSize = [](sqlite3_file* file,
                      sqlite3_int64* size) { return Real(file)->pMethods->xFileSize(Real(file), size); },
      .xLock = [](sqlite3_file* file, int level) { return Real(file)->pMethods->xLock(Real(file), level); },
      .xUnlock = [](sqlite3_file* file, int level) { return Real(file)->pMethods->xUnlock(Real(file), level); },
      .xCheckReservedLock = [](sqlite3_file* file,
                               int* out) { return Real(file)->pMethods->xCheckReservedLock(Real(file), out); },
      .xFileControl =
          [](sqlite3_file* file, int operation, void* argument) {
            return Real(file)->pMethods->xFileControl(Real(file), operation, argument);
          },
      .xSectorSize = [](sqlite3_file* file) { return Real(file)->pMethods->xSectorSize(Real(file)); },
      .xDeviceCharacteristics =
          [](sqlite3_file* file) { return Real(file)->pMethods->xDeviceCharacteristics(Real(file)); },
      .xShmMap = nullptr,
      .xShmLock = nullptr,
      .xShmBarrier = nullptr,
      .xShmUnmap = nullptr,
      .xFetch = nullptr,
      .xUnfetch = nullptr,
  };
};

}  // namespace flaim::testing_support
