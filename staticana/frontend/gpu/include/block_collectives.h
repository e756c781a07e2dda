// What blocks do together by CUB and hipCUB, without loops: steps of constant number are templates.
#ifndef __LL_BLOCK_COLLECTIVES_H
#define __LL_BLOCK_COLLECTIVES_H
#include "gpu_runtime.h"
namespace looplaw_cub {
struct Sum {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct Max {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class K, class V> struct KeyValuePair {
  K key;
  V value;
};
struct ArgMax {
  template <class P> __host__ __device__ P operator()(const P &a, const P &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class P> __host__ __device__ P operator()(const P &a, const P &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};
static inline __device__ int looplaw_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
constexpr __host__ __device__ int looplaw_above(int n) { return n > 1 ? 2 * looplaw_above((n + 1) / 2) : 1; }
template <class T, int N> struct looplaw_shared {
  T data[N];
};
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
struct BlockReduce {
  static constexpr int N = X * Y * Z;
  typedef looplaw_shared<T, N> TempStorage;
  TempStorage &s;
  __device__ BlockReduce(TempStorage &storage) : s(storage) {}
  template <int S, class F> __device__ void step(F f, int count) {
    if constexpr (S > 0) {
      looplaw_barrier();
      int at = looplaw_rank();
      if (at < S && at + S < count) s.data[at] = f(s.data[at], s.data[at + S]);
      step<S / 2>(f, count);
    }
  }
  template <class F> __device__ T Reduce(T v, F f, int count = N) {
    s.data[looplaw_rank()] = v;
    step<looplaw_above(N) / 2>(f, count);
    looplaw_barrier();
    return s.data[0];
  }
  __device__ T Sum(T v, int count = N) { return Reduce(v, looplaw_cub::Sum(), count); }
};
template <class T, int W = warpSize> struct WarpReduce {
  struct TempStorage {};
  __device__ WarpReduce(TempStorage &) {}
  template <int S, class F> static __device__ T step(T v, F f) {
    if constexpr (S > 0) return step<S / 2>(f(v, __shfl_down(v, S, W)), f);
    return v;
  }
  template <class F> __device__ T Reduce(T v, F f) { return step<W / 2>(v, f); }
  __device__ T Sum(T v) { return Reduce(v, looplaw_cub::Sum()); }
};
template <class T, int W = warpSize> struct WarpScan {
  struct TempStorage {};
  __device__ WarpScan(TempStorage &) {}
  template <int S, class F> static __device__ T step(T v, F f) {
    if constexpr (S < W) {
      T before = __shfl_up(v, S, W);
      return step<2 * S>(looplaw_rank() % W >= S ? f(before, v) : v, f);
    }
    return v;
  }
  template <class F> __device__ void InclusiveScan(T v, T &out, F f) { out = step<1>(v, f); }
  template <class F> __device__ void InclusiveScan(T v, T &out, F f, T &all) {
    out = step<1>(v, f);
    all = __shfl(out, W - 1, W);
  }
  template <class F> __device__ void ExclusiveScan(T v, T &out, T first, F f) {
    T before = __shfl_up(step<1>(v, f), 1, W);
    out = looplaw_rank() % W ? f(first, before) : first;
  }
  __device__ void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  __device__ void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  __device__ void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), Sum()); }
  __device__ void ExclusiveSum(T v, T &out, T &all) {
    ExclusiveSum(v, out);
    all = __shfl(out + v, W - 1, W);
  }
  __device__ T Broadcast(T v, unsigned from) { return __shfl(v, from, W); }
};
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
struct BlockScan {
  static constexpr int N = X * Y * Z;
  typedef looplaw_shared<T, N> TempStorage;
  TempStorage &s;
  __device__ BlockScan(TempStorage &storage) : s(storage) {}
  template <int S, class F> __device__ void step(F f) {
    if constexpr (S < N) {
      int at = looplaw_rank();
      looplaw_barrier();
      T v = s.data[at];
      if (at >= S) v = f(s.data[at - S], v);
      looplaw_barrier();
      s.data[at] = v;
      step<2 * S>(f);
    }
  }
  template <class F> __device__ void InclusiveScan(T v, T &out, F f, T &all) {
    s.data[looplaw_rank()] = v;
    step<1>(f);
    looplaw_barrier();
    out = s.data[looplaw_rank()];
    all = s.data[N - 1];
  }
  template <class F> __device__ void InclusiveScan(T v, T &out, F f) {
    T all;
    InclusiveScan(v, out, f, all);
  }
  // a callback says what stands before the block: each thread asks one of its own
  template <class F, class C> __device__ void InclusiveScan(T v, T &out, F f, C &before) {
    T all;
    InclusiveScan(v, out, f, all);
    out = f(before(all), out);
  }
  template <class F> __device__ void ExclusiveScan(T v, T &out, T first, F f, T &all) {
    T unused;
    InclusiveScan(v, unused, f, all);
    out = looplaw_rank() ? f(first, s.data[looplaw_rank() - 1]) : first;
  }
  template <class F> __device__ void ExclusiveScan(T v, T &out, T first, F f) {
    T all;
    ExclusiveScan(v, out, first, f, all);
  }
  template <int at = 0, int I, class F> __device__ T all_of(T (&v)[I], F f) {
    if constexpr (at + 1 < I) return f(v[at], all_of<at + 1>(v, f));
    return v[at];
  }
  template <int at = 0, int I, class F>
  __device__ void from(T (&v)[I], T (&out)[I], T before, F f, bool exclusive) {
    if constexpr (at < I) {
      T after = f(before, v[at]);
      out[at] = exclusive ? before : after;
      from<at + 1>(v, out, after, f, exclusive);
    }
  }
  template <class F, class C> __device__ void ExclusiveScan(T v, T &out, F f, C &before) {
    T all, first;
    ExclusiveScan(v, out, v, f, all);
    first = before(all);
    out = looplaw_rank() ? f(first, out) : first;
  }
  template <int I, class F> __device__ void InclusiveScan(T (&v)[I], T (&out)[I], F f, T &all) {
    T before;
    ExclusiveScan(all_of(v, f), before, v[0], f, all);
    from<1>(v, out, out[0] = looplaw_rank() ? f(before, v[0]) : v[0], f, false);
  }
  template <int I, class F> __device__ void InclusiveScan(T (&v)[I], T (&out)[I], F f) {
    T all;
    InclusiveScan(v, out, f, all);
  }
  template <int I, class F, class C>
  __device__ void InclusiveScan(T (&v)[I], T (&out)[I], F f, C &prefix) {
    T all, before, first;
    ExclusiveScan(all_of(v, f), before, v[0], f, all);
    first = prefix(all);
    from(v, out, looplaw_rank() ? f(first, before) : first, f, false);
  }
  template <int I> __device__ void ExclusiveSum(T (&v)[I], T (&out)[I], T &all) {
    T before;
    ExclusiveScan(all_of(v, Sum()), before, T(), Sum(), all);
    from(v, out, before, Sum(), true);
  }
  template <int I> __device__ void ExclusiveSum(T (&v)[I], T (&out)[I]) {
    T all;
    ExclusiveSum(v, out, all);
  }
  template <int I> __device__ void InclusiveSum(T (&v)[I], T (&out)[I], T &all) {
    T before;
    ExclusiveScan(all_of(v, Sum()), before, T(), Sum(), all);
    from(v, out, before, Sum(), false);
  }
  template <int I> __device__ void InclusiveSum(T (&v)[I], T (&out)[I]) {
    T all;
    InclusiveSum(v, out, all);
  }
  __device__ void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  __device__ void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  __device__ void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), Sum()); }
  __device__ void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(), Sum(), all); }
};
template <class T, int X, int ITEMS, int METHOD = 0, int Y = 1, int Z = 1> struct looplaw_moves {
  struct TempStorage {};
  __device__ looplaw_moves() {}
  __device__ looplaw_moves(TempStorage &) {}
  template <int at = 0, class P> __device__ void Load(P from, T (&to)[ITEMS], int count = 1 << 30) {
    if constexpr (at < ITEMS) {
      if (looplaw_rank() * ITEMS + at < count) to[at] = from[looplaw_rank() * ITEMS + at];
      Load<at + 1>(from, to, count);
    }
  }
  template <int at = 0, class P> __device__ void Store(P to, T (&from)[ITEMS], int count = 1 << 30) {
    if constexpr (at < ITEMS) {
      if (looplaw_rank() * ITEMS + at < count) to[looplaw_rank() * ITEMS + at] = from[at];
      Store<at + 1>(to, from, count);
    }
  }
};
template <class T, int X, int ITEMS, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1>
using BlockLoad = looplaw_moves<T, X, ITEMS, A, Y, Z>;
template <class T, int X, int ITEMS, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1>
using BlockStore = looplaw_moves<T, X, ITEMS, A, Y, Z>;
}  // namespace looplaw_cub
#endif
