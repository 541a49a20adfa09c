/* Preloaded into wf: writes down what it does to the files of a store, in the order in which it does it, and can make the disk full or broken.
 * A test reads from that what a power cut leaves on disk. One record: kind, file, offset, length (four little-endian numbers of 8 bytes),
 * then that many bytes: of a write its data, of a file that is opened its path.
 *   WF_TRACE_FOLDER  only files below this folder
 *   WF_TRACE_TO      where the records go
 *   WF_TRACE_FULL    while this file exists, the disk has no room
 *   WF_TRACE_BROKEN  while this file exists, the disk can't be written
 *   WF_TRACE_UNREADABLE  while this file exists, every third read fails
 *   WF_TRACE_HANGING     while this file exists, a flush does not return
 *   WF_TRACE_SLOW    microseconds that each flush takes longer
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPENED = 1, WRITTEN = 2, FLUSHED = 3, CUT = 4, REMOVED = 5 };
#define MOST_FILES 65536

static char below[MOST_FILES];
static const char *folder, *full, *broken, *unreadable, *hanging;
static unsigned reads;
static int trace = -1;
static useconds_t slow;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
  const char *to = getenv("WF_TRACE_TO");
  folder = getenv("WF_TRACE_FOLDER");
  full = getenv("WF_TRACE_FULL");
  broken = getenv("WF_TRACE_BROKEN");
  unreadable = getenv("WF_TRACE_UNREADABLE");
  hanging = getenv("WF_TRACE_HANGING");
  slow = getenv("WF_TRACE_SLOW") ? (useconds_t)atoi(getenv("WF_TRACE_SLOW")) : 0;
  if (to != NULL) trace = REAL(open)(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static void put(uint64_t kind, int file, uint64_t offset, const void *data, uint64_t length) {
  if (trace < 0) return;
  uint64_t head[4] = {kind, (uint64_t)file, offset, length};
  char *whole = malloc(sizeof head + length);
  memcpy(whole, head, sizeof head);
  if (length > 0) memcpy(whole + sizeof head, data, length);
  pthread_mutex_lock(&lock);
  if (REAL(write)(trace, whole, sizeof head + length) < 0) abort();
  pthread_mutex_unlock(&lock);
  free(whole);
}

static int is_below(int file) { return file >= 0 && file < MOST_FILES && below[file]; }

static int exists(const char *path) { return path != NULL && access(path, F_OK) == 0; }

static int opened(int file, const char *path) {
  if (file < 0 || file >= MOST_FILES || folder == NULL) return file;
  below[file] = strncmp(path, folder, strlen(folder)) == 0;
  if (below[file]) put(OPENED, file, 0, path, strlen(path));
  return file;
}

#define OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                           \
    va_list more;                                                        \
    va_start(more, flags);                                               \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                        \
    return opened(REAL(name)(path, flags, mode), path);                  \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (file >= 0 && file < MOST_FILES) below[file] = 0;
  return REAL(close)(file);
}

#define PWRITE(name, offset_type)                                                  \
  ssize_t name(int file, const void *data, size_t length, offset_type offset) {    \
    if (is_below(file) && exists(full)) { errno = ENOSPC; return -1; }             \
    if (is_below(file) && exists(broken)) { errno = EIO; return -1; }              \
    ssize_t done = REAL(name)(file, data, length, offset);                         \
    if (done > 0 && is_below(file)) put(WRITTEN, file, (uint64_t)offset, data, (uint64_t)done); \
    return done;                                                                   \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PREAD(name, offset_type)                                                   \
  ssize_t name(int file, void *data, size_t length, offset_type offset) {          \
    if (is_below(file) && exists(unreadable) && __sync_fetch_and_add(&reads, 1) % 3 == 2) { errno = EIO; return -1; } \
    return REAL(name)(file, data, length, offset);                                 \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t write(int file, const void *data, size_t length) {
  if (!is_below(file)) return REAL(write)(file, data, length);
  if (exists(full)) { errno = ENOSPC; return -1; }
  if (exists(broken)) { errno = EIO; return -1; }
  off_t offset = lseek(file, 0, SEEK_CUR);
  ssize_t done = REAL(write)(file, data, length);
  if (done > 0) put(WRITTEN, file, (uint64_t)offset, data, (uint64_t)done);
  return done;
}

#define FLUSH(name)                                                     \
  int name(int file) {                                                  \
    if (is_below(file) && exists(broken)) { errno = EIO; return -1; }   \
    if (is_below(file) && slow > 0) usleep(slow);                       \
    while (is_below(file) && exists(hanging)) usleep(10000);            \
    int done = REAL(name)(file);                                        \
    if (done == 0 && is_below(file)) put(FLUSHED, file, 0, NULL, 0);    \
    return done;                                                        \
  }
FLUSH(fsync)
FLUSH(fdatasync)

#define TRUNCATE(name, offset_type)                                     \
  int name(int file, offset_type length) {                              \
    int done = REAL(name)(file, length);                                \
    if (done == 0 && is_below(file)) put(CUT, file, (uint64_t)length, NULL, 0); \
    return done;                                                        \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
  int done = REAL(unlink)(path);
  if (done == 0 && folder != NULL && strncmp(path, folder, strlen(folder)) == 0) put(REMOVED, 0, 0, path, strlen(path));
  return done;
}
