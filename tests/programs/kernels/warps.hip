// Kernels whose warps, blocks and lanes have parts of their own, in HIP.
#include <hip/hip_runtime.h>

__global__ void row_per_block(float *out, const float *a, int n, int m) {
  __shared__ float part[256];
  int row = blockIdx.x, t = threadIdx.x;
  float s = 0;
  for (int k = t; k < m; k += blockDim.x) s += a[row * m + k];
  part[t] = s;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[row] = part[0];
}

__global__ void row_per_thread(float *out, const float *a, int n, int m) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float s = 0;
  for (int k = 0; k < m; k++) s += a[row * m + k];
  out[row] = s;
}

__global__ void row_per_warp(float *out, const float *a, int n, int m) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= n) return;
  float s = 0;
  for (int k = lane; k < m; k += 64) s += a[row * m + k];
  for (int d = 32; d > 0; d /= 2) s += __shfl_down(s, d);
  if (lane == 0) out[row] = s;
}

__global__ void dot(float *out, const float *x, const float *y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    s += x[i] * y[i];
  for (int d = 32; d > 0; d /= 2) s += __shfl_down(s, d);
  if (threadIdx.x % 64 == 0) atomicAdd(out, s);
}

__global__ void even_lanes(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 0)
    for (int k = 0; k < m; k++) a[i] += k;
}

__global__ void stride_two(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[2 * i];
}

__global__ void gather(float *out, const float *in, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[at[i]];
}

__global__ void structures(float *out, const float4 *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].x;
}

__global__ void fft_stage(float2 *a, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int group = i / half, at = i % half, first = group * 2 * half + at;
    float2 u = a[first], v = a[first + half];
    a[first] = make_float2(u.x + v.x, u.y + v.y);
    a[first + half] = make_float2(u.x - v.x, u.y - v.y);
  }
}

__global__ void bucket_sort_step(int *keys, int *places, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) places[i] = atomicAdd(&count[keys[i] & 255], 1);
}

__global__ void block_histogram(int *bins, const unsigned char *in, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void odd_even_sort(int *a, int n) {
  int i = threadIdx.x;
  for (int phase = 0; phase < n; phase++) {
    int at = 2 * i + (phase & 1);
    if (at + 1 < n && a[at] > a[at + 1]) {
      int x = a[at];
      a[at] = a[at + 1];
      a[at + 1] = x;
    }
    __syncthreads();
  }
}

__global__ void pairs(float *out, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = i + 1; j < n; j++)
    for (int k = 0; k < j; k++) s += x[j] * x[k];
  out[i] = s;
}
