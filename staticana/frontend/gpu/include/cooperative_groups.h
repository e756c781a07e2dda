// Groups of threads, as CUDA's programming guide describes them, over what gpu_runtime.h declares.
#ifndef __LL_COOPERATIVE_GROUPS_H
#define __LL_COOPERATIVE_GROUPS_H
#include "gpu_runtime.h"
namespace cooperative_groups {
static inline __device__ unsigned looplaw_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static inline __device__ unsigned looplaw_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
struct thread_group {
  unsigned width = 0;
  __device__ void sync() const {
    if (width > warpSize) looplaw_barrier();
    else looplaw_warp_barrier(~0u);
  }
  __device__ unsigned size() const { return width; }
  __device__ unsigned num_threads() const { return width; }
  __device__ unsigned thread_rank() const { return looplaw_rank() % width; }
};
struct thread_block : thread_group {
  __device__ static void sync() { looplaw_barrier(); }
  __device__ static unsigned size() { return looplaw_threads(); }
  __device__ static unsigned num_threads() { return looplaw_threads(); }
  __device__ static unsigned thread_rank() { return looplaw_rank(); }
  __device__ static dim3 thread_index() { return uint3(threadIdx); }
  __device__ static dim3 group_index() { return uint3(blockIdx); }
  __device__ static dim3 group_dim() { return blockDim; }
};
struct grid_group {
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { looplaw_barrier(); }
  __device__ unsigned long long size() const {
    return (unsigned long long)looplaw_threads() * gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ unsigned long long thread_rank() const {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return (unsigned long long)block * looplaw_threads() + looplaw_rank();
  }
};
// lanes of a warp that came here together: how many is not known
struct coalesced_group {
  unsigned mask = looplaw_vote(2, 1);
  __device__ void sync() const { looplaw_warp_barrier(mask); }
  __device__ unsigned size() const { return __builtin_popcount(mask); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const {
    return __builtin_popcount(mask & ((1u << looplaw_rank() % warpSize) - 1));
  }
  template <class T> __device__ T shfl(T v, int at) const { return looplaw_shuffled(0, v, at, warpSize); }
  template <class T> __device__ T shfl_up(T v, int n) const { return looplaw_shuffled(1, v, n, warpSize); }
  template <class T> __device__ T shfl_down(T v, int n) const {
    return looplaw_shuffled(2, v, n, warpSize);
  }
  __device__ int any(int v) const { return looplaw_vote(0, v); }
  __device__ int all(int v) const { return looplaw_vote(1, v); }
  __device__ unsigned ballot(int v) const { return looplaw_vote(2, v); }
};
template <unsigned N, class Above = void> struct thread_block_tile {
  __device__ operator thread_group() const { return {N}; }
  __device__ void sync() const { looplaw_warp_barrier(~0u); }
  __device__ static constexpr unsigned size() { return N; }
  __device__ static constexpr unsigned num_threads() { return N; }
  __device__ unsigned thread_rank() const { return looplaw_rank() % N; }
  __device__ unsigned meta_group_rank() const { return looplaw_rank() / N; }
  __device__ unsigned meta_group_size() const { return (looplaw_threads() + N - 1) / N; }
  template <class T> __device__ T shfl(T v, int at) const { return looplaw_shuffled(0, v, at, N); }
  template <class T> __device__ T shfl_up(T v, int n) const { return looplaw_shuffled(1, v, n, N); }
  template <class T> __device__ T shfl_down(T v, int n) const {
    return looplaw_shuffled(2, v, n, N);
  }
  template <class T> __device__ T shfl_xor(T v, int n) const { return looplaw_shuffled(3, v, n, N); }
  __device__ int any(int v) const { return looplaw_vote(0, v); }
  __device__ int all(int v) const { return looplaw_vote(1, v); }
  __device__ unsigned ballot(int v) const { return looplaw_vote(2, v); }
};
static inline __device__ thread_block this_thread_block() { return {}; }
static inline __device__ grid_group this_grid() { return {}; }
template <unsigned N, class G> static inline __device__ thread_block_tile<N> tiled_partition(const G &) {
  return {};
}
static inline __device__ thread_group tiled_partition(const thread_block &, unsigned n) { return {n}; }
static inline __device__ thread_group tiled_partition(const thread_group &, unsigned n) { return {n}; }
static inline __device__ coalesced_group coalesced_threads() { return {}; }
template <class G> static inline __device__ coalesced_group binary_partition(const G &g, bool v) {
  unsigned mask = g.ballot(v);
  return {v ? mask : ~mask};
}
template <class G> static inline __device__ coalesced_group labeled_partition(const G &, int v) {
  return {(unsigned)looplaw_vote(7, v)};
}
// copies of a group, a part by each thread
template <class G, class T, class S>
static inline __device__ void memcpy_async(const G &g, T *to, const T *from, const S &bytes) {
  for (size_t i = g.thread_rank(); i < size_t(bytes) / sizeof(T); i += g.size()) to[i] = from[i];
}
template <class G> static inline __device__ void wait(const G &g) { g.sync(); }
template <unsigned, class G> static inline __device__ void wait_prior(const G &g) { g.sync(); }
template <class G> static inline __device__ void sync(const G &group) { group.sync(); }
template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned N, class T, class F>
static inline __device__ T reduce(const thread_block_tile<N> &group, T v, F f) {
#pragma unroll
  for (unsigned n = N / 2; n > 0; n /= 2) v = f(v, group.shfl_xor(v, n));
  return v;
}
template <unsigned N, class T> static inline __device__ T reduce(const thread_block_tile<N> &g, T v) {
  return reduce(g, v, plus<T>());
}
template <class T, class F> static inline __device__ T reduce(const coalesced_group &g, T v, F f) {
  for (unsigned n = g.size() / 2; n > 0; n /= 2) v = f(v, g.shfl_down(v, n));
  return v;
}
}  // namespace cooperative_groups
#endif
