#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random_source.h"

namespace flaim::testing_support {

// A disk in memory whose power can be cut, as SQLite's default file system while it lives. For tests only.
//
// Written bytes reach the disk when the file is synced; names that appear or vanish, when the folder is synced. Until
// then they are pending, and a power cut keeps whatever part of them it likes, in sectors of 512 bytes. SQLite syncs
// the folder when it first syncs a new journal, and when it asks so on deleting one. One process, no locks.
class SimulatedDisk {
 public:
  enum class Loss { kAllPending, kSomePending, kNothing };

  SimulatedDisk() : outside_(sqlite3_vfs_find(nullptr)) {
    vfs_.iVersion = 1;
    vfs_.szOsFile = sizeof(OpenFile);
    vfs_.mxPathname = 1024;
    vfs_.zName = "flaim-simulated-disk";
    vfs_.pAppData = this;
    vfs_.xOpen = Open;
    vfs_.xDelete = Delete;
    vfs_.xAccess = Access;
    vfs_.xFullPathname = FullPathname;
    vfs_.xRandomness = [](sqlite3_vfs* vfs, int size, char* out) {
      return Of(vfs).outside_->xRandomness(Of(vfs).outside_, size, out);
    };
    vfs_.xSleep = [](sqlite3_vfs*, int microseconds) { return microseconds; };
    vfs_.xCurrentTime = [](sqlite3_vfs* vfs, double* now) {
      return Of(vfs).outside_->xCurrentTime(Of(vfs).outside_, now);
    };
    vfs_.xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
    CHECK(sqlite3_vfs_register(&vfs_, 1) == SQLITE_OK);
  }
  ~SimulatedDisk() { sqlite3_vfs_unregister(&vfs_); }
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;

  // The power goes at the n-th operation that changes something from now on, n >= 1.
  void CutPowerAt(std::int64_t operation) { operations_left_ = operation; }
  bool IsDead() const { return dead_; }
  // Operations that would change something fail as on a full disk, while set.
  void SetFull(bool full) { full_ = full; }

  // The power is back: what survived is all there is. REQUIRES: no file is open.
  void Restart(Loss loss, RandomSource& random) {
    const auto keep = [&] {
      return loss == Loss::kNothing || (loss == Loss::kSomePending && random.NextBelow(2) == 1);
    };
    Names survived;
    Names all = durable_names_;
    all.insert(names_.begin(), names_.end());
    for (const auto& [name, unused] : all) {
      const Names& side = keep() ? names_ : durable_names_;
      if (const auto found = side.find(name); found != side.end()) survived.insert(*found);
    }
    for (const auto& [name, file] : survived) file->Settle(keep);
    names_ = durable_names_ = std::move(survived);
    operations_left_ = -1;
    dead_ = false;
  }

  std::string Get(const std::string& name) const { return names_.at(name)->current; }
  void Put(const std::string& name, std::string bytes) {
    auto file = std::make_shared<File>();
    file->current = file->durable = std::move(bytes);
    names_[name] = durable_names_[name] = std::move(file);
  }

 private:
  static constexpr std::size_t kSector = 512;

  struct Change {
    bool truncates = false;
    std::size_t offset = 0;
    std::string bytes;
  };

  struct File {
    std::string current;
    std::string durable;
    std::vector<Change> pending;
    bool folder_synced = false;

    static void Perform(std::string& contents, const Change& change) {
      if (change.truncates) return contents.resize(change.offset);
      contents.resize(std::max(contents.size(), change.offset + change.bytes.size()));
      contents.replace(change.offset, change.bytes.size(), change.bytes);
    }
    void Make(Change change) {
      Perform(current, change);
      pending.push_back(std::move(change));
    }
    void Sync() {
      durable = current;
      pending.clear();
    }
    template <typename Keep>
    void Settle(const Keep& keep) {
      for (const Change& change : pending) {
        if (change.truncates) {
          if (keep()) Perform(durable, change);
          continue;
        }
        for (std::size_t at = 0; at < change.bytes.size(); at += kSector) {
          if (keep()) Perform(durable, {false, change.offset + at, change.bytes.substr(at, kSector)});
        }
      }
      current = durable;
      pending.clear();
    }
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;

  struct OpenFile {
    sqlite3_file base;
    SimulatedDisk* disk;
    std::shared_ptr<File>* file;
    bool is_journal;
  };

  static SimulatedDisk& Of(sqlite3_vfs* vfs) { return *static_cast<SimulatedDisk*>(vfs->pAppData); }
  static OpenFile& Of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file); }

  // SQLITE_OK if the next operation that changes something takes place.
  int Permit() {
    if (operations_left_ > 0 && --operations_left_ == 0) dead_ = true;
    if (dead_) return SQLITE_IOERR;
    return full_ ? SQLITE_FULL : SQLITE_OK;
  }
  void SyncFolder() { durable_names_ = names_; }

  static int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* base, int flags, int* out_flags) {
    SimulatedDisk& disk = Of(vfs);
    OpenFile& open = Of(base);
    open.base.pMethods = nullptr;
    if (disk.dead_) return SQLITE_IOERR;
    std::shared_ptr<File> file;
    if (name == nullptr) {
      file = std::make_shared<File>();
    } else if (const auto found = disk.names_.find(name); found != disk.names_.end()) {
      file = found->second;
    } else {
      if (const int code = disk.Permit(); code != SQLITE_OK) return code;
      file = disk.names_[name] = std::make_shared<File>();
    }
    open.disk = &disk;
    open.file = new std::shared_ptr<File>(std::move(file));
    open.is_journal = (flags & SQLITE_OPEN_MAIN_JOURNAL) != 0;
    open.base.pMethods = &kMethods;
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }

  static int Delete(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    SimulatedDisk& disk = Of(vfs);
    if (!disk.names_.contains(name)) return SQLITE_IOERR_DELETE_NOENT;
    if (const int code = disk.Permit(); code != SQLITE_OK) return code;
    disk.names_.erase(name);
    if (sync_folder == 0) return SQLITE_OK;
    if (const int code = disk.Permit(); code != SQLITE_OK) return code;
    disk.SyncFolder();
    return SQLITE_OK;
  }

  static int Access(sqlite3_vfs* vfs, const char* name, int, int* result) {
    const auto found = Of(vfs).names_.find(name);
    *result = found != Of(vfs).names_.end() && !found->second->current.empty();
    return Of(vfs).dead_ ? SQLITE_IOERR : SQLITE_OK;
  }

  static int FullPathname(sqlite3_vfs*, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }

  static int Close(sqlite3_file* base) {
    delete Of(base).file;
    return SQLITE_OK;
  }

  static int Read(sqlite3_file* base, void* out, int size, sqlite3_int64 offset) {
    if (Of(base).disk->dead_) return SQLITE_IOERR;
    const std::string& bytes = (*Of(base).file)->current;
    const auto wanted = static_cast<std::size_t>(size);
    const auto start = std::min(static_cast<std::size_t>(offset), bytes.size());
    const std::size_t there = std::min(wanted, bytes.size() - start);
    std::memcpy(out, bytes.data() + start, there);
    std::memset(static_cast<char*>(out) + there, 0, wanted - there);
    return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  // The write at which the power goes may still reach the disk, in part.
  static int Write(sqlite3_file* base, const void* bytes, int size, sqlite3_int64 offset) {
    const int code = Of(base).disk->Permit();
    const bool last_words = Of(base).disk->dead_ && Of(base).disk->operations_left_ == 0;
    if (code == SQLITE_OK || last_words) {
      (*Of(base).file)
          ->Make({false, static_cast<std::size_t>(offset),
                  std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size))});
    }
    if (last_words) Of(base).disk->operations_left_ = -1;
    return code;
  }

  static int Truncate(sqlite3_file* base, sqlite3_int64 size) {
    const int code = Of(base).disk->Permit();
    if (code == SQLITE_OK) (*Of(base).file)->Make({true, static_cast<std::size_t>(size), {}});
    return code;
  }

  static int Sync(sqlite3_file* base, int) {
    OpenFile& open = Of(base);
    if (const int code = open.disk->Permit(); code != SQLITE_OK) return code;
    (*open.file)->Sync();
    if (!open.is_journal || (*open.file)->folder_synced) return SQLITE_OK;
    if (const int code = open.disk->Permit(); code != SQLITE_OK) return code;
    open.disk->SyncFolder();
    (*open.file)->folder_synced = true;
    return SQLITE_OK;
  }

  static int FileSize(sqlite3_file* base, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>((*Of(base).file)->current.size());
    return SQLITE_OK;
  }

  static int NoLock(sqlite3_file*, int) { return SQLITE_OK; }
  static int NoReservedLock(sqlite3_file*, int* result) {
    *result = 0;
    return SQLITE_OK;
  }

  static constexpr sqlite3_io_methods kMethods = {
      .iVersion = 1,
      .xClose = Close,
      .xRead = Read,
      .xWrite = Write,
      .xTruncate = Truncate,
      .xSync = Sync,
      .xFileSize = FileSize,
      .xLock = NoLock,
      .xUnlock = NoLock,
      .xCheckReservedLock = NoReservedLock,
      .xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; },
      .xSectorSize = [](sqlite3_file*) { return 4096; },
      .xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; },
      .xShmMap = nullptr,
      .xShmLock = nullptr,
      .xShmBarrier = nullptr,
      .xShmUnmap = nullptr,
      .xFetch = nullptr,
      .xUnfetch = nullptr,
  };

  sqlite3_vfs* outside_;
  sqlite3_vfs vfs_{};
  Names names_;
  Names durable_names_;
  std::int64_t operations_left_ = -1;
  bool dead_ = false;
  bool full_ = false;
};

}  // namespace flaim::testing_support
