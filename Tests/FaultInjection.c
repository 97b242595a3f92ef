// Makes the Nth call that changes a file fail, or ends the process in it. It is loaded into the program under test with
// LD_PRELOAD and configured by its environment:
//
//   FAULT_FOLDER  only calls about files below this folder count
//   FAULT_AT      the number of the call, from 1
//   FAULT_KIND    once: it and the next one fail with ENOSPC or EIO; always: so does every one after them; kill: the
//                 process dies in it; full: so does every one after it for FAULT_SECONDS, then all is well again; every: as once,
//                 and so again after each FAULT_EVERY calls
//   FAULT_EVERY   for every: how many calls there are from one that fails to the next, at least 3
//   FAULT_REPORT  a file that is made when the call was reached
//   FAULT_CLOCK   by how many seconds the time of day is wrong, below 0 for slow; it needs none of the others
//
// A write fails or dies after half of its bytes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;

static const char *folder(void) { return getenv("FAULT_FOLDER"); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = (int)syscall(SYS_clock_gettime, clock, time);
  const char *wrong = getenv("FAULT_CLOCK");
  if (status == 0 && clock == CLOCK_REALTIME && wrong) time->tv_sec += atol(wrong);
  return status;
}

static int is_watched(const char *path) {
  const char *below = folder();
  return below && path && strncmp(path, below, strlen(below)) == 0;
}

static int is_watched_descriptor(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = syscall(SYS_readlink, link, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return is_watched(path);
}

/// Whether a path, which may be relative to a folder, is of a watched file.
static int is_watched_at(int folder, const char *path) {
  if (folder == AT_FDCWD || !path || path[0] == '/') return is_watched(path);
  char link[64], whole[2 * PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t count = syscall(SYS_readlink, link, whole, PATH_MAX - 1);
  if (count <= 0) return 0;
  snprintf(whole + count, sizeof whole - count, "/%s", path);
  return is_watched(whole);
}

/// Whether this call is to fail; a process that is to die does so here, after `before`.
static int is_fault(void (*before)(void *), void *context) {
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND"), *report = getenv("FAULT_REPORT");
  if (!at || !kind) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1, wanted = atol(at);
  if (number < wanted) return 0;
  if (strcmp(kind, "full") == 0) {
    // A disk that is full, until somebody frees it.
    static atomic_long until;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const char *seconds = getenv("FAULT_SECONDS");
    long now = time.tv_sec * 1000 + time.tv_nsec / 1000000, none = 0;
    atomic_compare_exchange_strong(&until, &none, now + (seconds ? atol(seconds) : 5) * 1000);
    if (now >= atomic_load(&until)) return 0;
  } else if (strcmp(kind, "every") == 0) {
    const char *every = getenv("FAULT_EVERY");
    long period = every ? atol(every) : 100;
    if ((number - wanted) % (period < 3 ? 3 : period) > 1) return 0;
  } else if (number > wanted + 1 && strcmp(kind, "always") != 0) {
    return 0;
  }
  if (report) {
    int file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT, 0600);
    if (file >= 0) syscall(SYS_close, file);
  }
  if (before) before(context);
  if (strcmp(kind, "kill") == 0) syscall(SYS_kill, getpid(), SIGKILL);
  return 1;
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

struct part {
  int descriptor;
  const void *bytes;
  size_t count;
  off_t offset;
};

static void write_half(void *context) {
  struct part *part = context;
  if (part->offset < 0)
    syscall(SYS_write, part->descriptor, part->bytes, part->count / 2);
  else
    syscall(SYS_pwrite64, part->descriptor, part->bytes, part->count / 2, part->offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(ssize_t, write, int, const void *, size_t);
  struct part part = {descriptor, bytes, count, -1};
  if (is_watched_descriptor(descriptor) && is_fault(write_half, &part)) {
    // What a full disk does: a part is written, and the next call fails.
    if (count / 2 > 0) return count / 2;
    errno = ENOSPC;
    return -1;
  }
  return real(descriptor, bytes, count);
}

#define PWRITE(name) \
  ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) { \
    REAL(ssize_t, name, int, const void *, size_t, off_t); \
    struct part part = {descriptor, bytes, count, offset}; \
    if (is_watched_descriptor(descriptor) && is_fault(write_half, &part)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return real(descriptor, bytes, count, offset); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define ON_DESCRIPTOR(name, parameters, types, arguments, code) \
  int name parameters { \
    REAL(int, name, types); \
    if (is_watched_descriptor(descriptor) && is_fault(NULL, NULL)) { \
      errno = code; \
      return -1; \
    } \
    return real arguments; \
  }
#define TYPES(...) __VA_ARGS__
ON_DESCRIPTOR(fsync, (int descriptor), TYPES(int), (descriptor), EIO)
ON_DESCRIPTOR(fdatasync, (int descriptor), TYPES(int), (descriptor), EIO)
ON_DESCRIPTOR(syncfs, (int descriptor), TYPES(int), (descriptor), EIO)
ON_DESCRIPTOR(ftruncate, (int descriptor, off_t size), TYPES(int, off_t), (descriptor, size), EIO)
ON_DESCRIPTOR(ftruncate64, (int descriptor, off_t size), TYPES(int, off_t), (descriptor, size), EIO)

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (is_watched(to) && is_fault(NULL, NULL)) {
    errno = EIO;
    return -1;
  }
  return real(from, to);
}

#define ON_PATH(name, parameters, types, arguments, code) \
  int name parameters { \
    REAL(int, name, types); \
    if (is_watched(path) && is_fault(NULL, NULL)) { \
      errno = code; \
      return -1; \
    } \
    return real arguments; \
  }
ON_PATH(unlink, (const char *path), TYPES(const char *), (path), EIO)
ON_PATH(remove, (const char *path), TYPES(const char *), (path), EIO)
ON_PATH(mkdir, (const char *path, mode_t mode), TYPES(const char *, mode_t), (path, mode), ENOSPC)
ON_PATH(link, (const char *from, const char *path), TYPES(const char *, const char *), (from, path), EIO)

int renameat(int folder, const char *from, int new_folder, const char *to) {
  REAL(int, renameat, int, const char *, int, const char *);
  if (is_watched_at(new_folder, to) && is_fault(NULL, NULL)) {
    errno = EIO;
    return -1;
  }
  return real(folder, from, new_folder, to);
}

int renameat2(int folder, const char *from, int new_folder, const char *to, unsigned int flags) {
  REAL(int, renameat2, int, const char *, int, const char *, unsigned int);
  if (is_watched_at(new_folder, to) && is_fault(NULL, NULL)) {
    errno = EIO;
    return -1;
  }
  return real(folder, from, new_folder, to, flags);
}

int linkat(int folder, const char *from, int new_folder, const char *to, int flags) {
  REAL(int, linkat, int, const char *, int, const char *, int);
  if (is_watched_at(new_folder, to) && is_fault(NULL, NULL)) {
    errno = EIO;
    return -1;
  }
  return real(folder, from, new_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  if (is_watched_at(folder, path) && is_fault(NULL, NULL)) {
    errno = EIO;
    return -1;
  }
  return real(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  REAL(int, mkdirat, int, const char *, mode_t);
  if (is_watched_at(folder, path) && is_fault(NULL, NULL)) {
    errno = ENOSPC;
    return -1;
  }
  return real(folder, path, mode);
}

#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    REAL(int, name, int, const char *, int, ...); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if ((flags & (O_WRONLY | O_RDWR)) && is_watched_at(folder, path) && is_fault(NULL, NULL)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return real(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if ((flags & (O_WRONLY | O_RDWR)) && is_watched(path) && is_fault(NULL, NULL)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
