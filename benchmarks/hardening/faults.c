/* Preloaded into a process: counts its file operations below one folder and lets one of them fail.

   looplaw_fault_arm(folder, k, kind) makes the k-th operation of this process (not of its children)
   fail: with errno `kind` if that is positive, by SIGKILL before it if -1, and if -2 a write takes
   half of its bytes. k = 0 lets none fail. looplaw_fault_seen() tells the name of the n-th. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { KILL = -1, SHORT = -2, MOST = 65536 };
static char folder[4096];
static size_t length;
static pid_t armed;
static long at;
static int kind;
static atomic_long count;
static const char *seen[MOST];

void looplaw_fault_arm(const char *root, long k, int what) {
  length = strlen(root);
  memcpy(folder, root, length + 1);
  at = k;
  kind = what;
  atomic_store(&count, 0);
  armed = getpid();
}

const char *looplaw_fault_seen(long n) {
  return n >= 0 && n < atomic_load(&count) && n < MOST ? seen[n] : NULL;
}

/* Does it fail? 0 if not, else what. A path that is not absolute is below the working directory. */
static int fails(const char *name, const char *path) {
  char full[8192];
  if (!armed || getpid() != armed || !path) return 0;
  if (path[0] != '/') {
    if (!getcwd(full, 4096)) return 0;
    strncat(full, "/", sizeof full - strlen(full) - 1);
    strncat(full, path, sizeof full - strlen(full) - 1);
    path = full;
  }
  if (strncmp(path, folder, length)) return 0;
  long k = atomic_fetch_add(&count, 1);
  if (k < MOST) seen[k] = name;
  if (k + 1 != at) return 0;
  if (kind == KILL) kill(armed, SIGKILL);
  return kind;
}

static int fails_at(const char *name, int descriptor) {
  char link[64], path[4096];
  if (!armed || getpid() != armed) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return fails(name, path);
}

#define NEXT(type, name) \
  static type (*next)(); \
  if (!next) next = (type(*)())dlsym(RTLD_NEXT, name)
#define FAIL(found) \
  if ((found) > 0) { \
    errno = (found); \
    return -1; \
  }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    NEXT(int, #name); \
    int found = fails(flags & O_CREAT ? "create" : "open", path); \
    FAIL(found) \
    return next(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int place, const char *path, int flags, ...) { \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    NEXT(int, #name); \
    int found = fails(flags & O_CREAT ? "create" : "open", path); \
    FAIL(found) \
    return next(place, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int descriptor, const void *data, size_t size) {
  NEXT(ssize_t, "write");
  int found = fails_at("write", descriptor);
  FAIL(found)
  return next(descriptor, data, found == SHORT && size > 1 ? size / 2 : size);
}

#define PWRITE(name) \
  ssize_t name(int descriptor, const void *data, size_t size, off_t place) { \
    NEXT(ssize_t, #name); \
    int found = fails_at("write", descriptor); \
    FAIL(found) \
    return next(descriptor, data, found == SHORT && size > 1 ? size / 2 : size, place); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define ON_FILE(name) \
  int name(int descriptor) { \
    NEXT(int, #name); \
    int found = fails_at("sync", descriptor); \
    FAIL(found) \
    return next(descriptor); \
  }
ON_FILE(fsync)
ON_FILE(fdatasync)

#define TWO_PATHS(name) \
  int name(const char *from, const char *to) { \
    NEXT(int, #name); \
    int found = fails(#name, to); \
    FAIL(found) \
    return next(from, to); \
  }
TWO_PATHS(rename)
TWO_PATHS(link)

int unlink(const char *path) {
  NEXT(int, "unlink");
  int found = fails("unlink", path);
  FAIL(found)
  return next(path);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(int, "mkdir");
  int found = fails("mkdir", path);
  FAIL(found)
  return next(path, mode);
}
