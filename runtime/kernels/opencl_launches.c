// Stands between an OpenCL program and its library (linked by --wrap), and writes each launch: the
// kernel, sizes, arguments, and what buffers hold before and after. Declared without OpenCL's
// headers, which need not be installed to build this.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64, MOST_BUFFERS = 4096, MOST_KERNELS = 1024 };
static const size_t most_bytes = 1 << 20; // of all buffers of a launch
typedef int32_t cl_int;
typedef uint32_t cl_uint;
struct argument { size_t size; int is_set, is_local; unsigned char value[16]; };
struct kernel { void *handle; char name[256]; struct argument arguments[MOST_ARGUMENTS]; };
static struct kernel kernels[MOST_KERNELS];
static struct { void *handle; size_t size; } buffers[MOST_BUFFERS];
static int known_kernels, known_buffers;

void *__real_clCreateKernel(void *, const char *, cl_int *);
void *__real_clCreateBuffer(void *, uint64_t, size_t, void *, cl_int *);
cl_int __real_clSetKernelArg(void *, cl_uint, size_t, const void *);
cl_int __real_clEnqueueNDRangeKernel(void *, void *, cl_uint, const size_t *, const size_t *,
                                     const size_t *, cl_uint, const void *, void *);
cl_int clEnqueueReadBuffer(void *, void *, cl_uint, size_t, size_t, void *, cl_uint, const void *,
                           void *);
cl_int clFinish(void *);

static struct kernel *kernel_of(void *handle) {
  for (int i = known_kernels - 1; i >= 0; i--)
    if (kernels[i].handle == handle) return kernels + i;
  return 0;
}
static size_t bytes_of(const struct argument *a) {
  void *handle;
  if (a->size != sizeof handle || a->is_local) return 0;
  memcpy(&handle, a->value, sizeof handle);
  for (int i = known_buffers - 1; i >= 0; i--)
    if (buffers[i].handle == handle) return buffers[i].size;
  return 0;
}

void *__wrap_clCreateKernel(void *program, const char *name, cl_int *error) {
  void *handle = __real_clCreateKernel(program, name, error);
  if (handle && known_kernels < MOST_KERNELS) {
    struct kernel *k = kernels + known_kernels++;
    memset(k, 0, sizeof *k);
    k->handle = handle;
    snprintf(k->name, sizeof k->name, "%s", name);
  }
  return handle;
}
void *__wrap_clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, cl_int *error) {
  void *handle = __real_clCreateBuffer(context, flags, size, host, error);
  if (handle && known_buffers < MOST_BUFFERS) {
    buffers[known_buffers].handle = handle;
    buffers[known_buffers++].size = size;
  }
  return handle;
}
cl_int __wrap_clSetKernelArg(void *handle, cl_uint at, size_t size, const void *value) {
  struct kernel *k = kernel_of(handle);
  if (k && at < MOST_ARGUMENTS) {
    struct argument *a = k->arguments + at;
    memset(a, 0, sizeof *a);
    a->is_set = 1, a->size = size, a->is_local = !value;
    if (value && size <= sizeof a->value) memcpy(a->value, value, size);
  }
  return __real_clSetKernelArg(handle, at, size, value);
}

static void put(FILE *out, const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) fprintf(out, "%02x", bytes[i]);
}
static void put_buffers(FILE *out, void *queue, const struct kernel *k, const char *when) {
  for (int i = 0; i < MOST_ARGUMENTS; i++) {
    size_t size = bytes_of(k->arguments + i);
    void *handle;
    if (!size) continue;
    unsigned char *bytes = malloc(size);
    memcpy(&handle, k->arguments[i].value, sizeof handle);
    if (bytes && !clEnqueueReadBuffer(queue, handle, 1, 0, size, bytes, 0, 0, 0)) {
      fprintf(out, "%s %d ", when, i);
      put(out, bytes, size);
      fprintf(out, "\n");
    }
    free(bytes);
  }
}

cl_int __wrap_clEnqueueNDRangeKernel(void *queue, void *handle, cl_uint axes, const size_t *offset,
                                     const size_t *total, const size_t *block, cl_uint waits,
                                     const void *list, void *event) {
  const char *path = getenv("LOOPLAW_LAUNCHES");
  struct kernel *k = kernel_of(handle);
  FILE *out = path && k ? fopen(path, "a") : 0;
  size_t chosen[3] = {1, 1, 1}, bytes = 0;
  if (!block) { // left to the implementation: chosen here, so that it is known
    for (size_t n = 1; n <= 64; n++)
      if (total[0] % n == 0) chosen[0] = n;
    block = chosen;
  }
  if (out) {
    fprintf(out, "launch %s", k->name);
    for (cl_uint i = 0; i < 3; i++) fprintf(out, " %zu", i < axes ? total[i] : 1);
    for (cl_uint i = 0; i < 3; i++) fprintf(out, " %zu", i < axes ? block[i] : 1);
    fprintf(out, "\n");
    for (int i = 0; i < MOST_ARGUMENTS; i++) bytes += bytes_of(k->arguments + i);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
      const struct argument *a = k->arguments + i;
      if (!a->is_set || bytes_of(a)) continue;
      fprintf(out, "%s %d ", a->is_local ? "local" : "number", i);
      put(out, a->value, a->size <= sizeof a->value ? a->size : 0);
      fprintf(out, "\n");
    }
    if (bytes <= most_bytes) {
      clFinish(queue);
      put_buffers(out, queue, k, "before");
    }
  }
  cl_int error = __real_clEnqueueNDRangeKernel(queue, handle, axes, offset, total, block, waits, list,
                                               event);
  if (out) {
    if (bytes <= most_bytes) {
      clFinish(queue);
      put_buffers(out, queue, k, "after");
    }
    fprintf(out, "end %d\n", error);
    fclose(out);
  }
  return error;
}
