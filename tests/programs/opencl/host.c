// n, steps: two kernels of rows.cl, launched in loops; one with blocks that the library chooses.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// declared here: OpenCL's headers need not be installed
typedef void *cl_mem, *cl_kernel, *cl_context, *cl_command_queue, *cl_program, *cl_object;
typedef int32_t cl_int;
enum { CL_SUCCESS, CL_MEM_READ_WRITE = 1, CL_TRUE = 1 };
cl_int clGetPlatformIDs(uint32_t, cl_object *, uint32_t *);
cl_int clGetDeviceIDs(cl_object, uint64_t, uint32_t, cl_object *, uint32_t *);
cl_context clCreateContext(const intptr_t *, uint32_t, const cl_object *, void *, void *, cl_int *);
cl_command_queue clCreateCommandQueue(cl_context, cl_object, uint64_t, cl_int *);
cl_program clCreateProgramWithSource(cl_context, uint32_t, const char **, const size_t *, cl_int *);
cl_int clBuildProgram(cl_program, uint32_t, const cl_object *, const char *, void *, void *);
cl_kernel clCreateKernel(cl_program, const char *, cl_int *);
cl_mem clCreateBuffer(cl_context, uint64_t, size_t, void *, cl_int *);
cl_int clSetKernelArg(cl_kernel, uint32_t, size_t, const void *);
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem, uint32_t, size_t, size_t, const void *,
                            uint32_t, const void *, void *);
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, uint32_t, size_t, size_t, void *, uint32_t,
                           const void *, void *);
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, uint32_t, const size_t *, const size_t *,
                              const size_t *, uint32_t, const void *, void *);
cl_int clFinish(cl_command_queue);

static char source[1 << 16];
int main(int argc, char **argv) {
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  cl_int err;
  cl_object platform, device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return 77;
  clGetDeviceIDs(platform, 0xFFFFFFFF, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  FILE *f = fopen("rows.cl", "r");
  size_t length = fread(source, 1, sizeof source - 1, f);
  fclose(f);
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &err);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel rows = clCreateKernel(program, "rows", &err);
  cl_kernel scale = clCreateKernel(program, "scale", &err);
  if (err != CL_SUCCESS) { printf("no kernel\n"); return 1; }
  float *h = malloc(sizeof(float) * n * n);
  for (int i = 0; i < n * n; i++) h[i] = i % 7;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * n * n, NULL, &err);
  cl_mem sum = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * n, NULL, &err);
  clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, sizeof(float) * n * n, h, 0, NULL, NULL);
  clSetKernelArg(rows, 0, sizeof(cl_mem), &sum);
  clSetKernelArg(rows, 1, sizeof(cl_mem), &a);
  clSetKernelArg(rows, 2, sizeof(int), &n);
  size_t local = 64, global = (n + local - 1) / local * local;
  for (int t = 0; t < steps; t++) {
    err = clEnqueueNDRangeKernel(queue, rows, 1, NULL, &global, &local, 0, NULL, NULL);
    if (err != CL_SUCCESS) { printf("failed\n"); return 1; }
  }
  clSetKernelArg(scale, 0, sizeof(cl_mem), &a);
  for (int t = 1; t <= n; t++) {
    size_t whole[2] = {n, n};
    clSetKernelArg(scale, 1, sizeof(int), &t);
    clEnqueueNDRangeKernel(queue, scale, 2, NULL, whole, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof(float) * n * n, h, 0, NULL, NULL);
  }
  clFinish(queue);
  printf("%g\n", h[0]);
  return 0;
}
