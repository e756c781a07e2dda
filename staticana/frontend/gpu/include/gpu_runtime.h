// What CUDA and HIP programs use, declared for clang without a toolkit: enough to write the IR that
// is analysed, and nothing that runs. Names: CUDA C++ Programming Guide and HIP API reference.
#ifndef __LL_GPU_RUNTIME_H
#define __LL_GPU_RUNTIME_H
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if __has_include(<sys/time.h>)
#include <sys/time.h>
#endif
#include <cmath>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#if !defined(__NVCC__) && !defined(__HIP__)
#define __NVCC__ 1
#endif
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __DRIVER_TYPES_H__  // asked for by helpers of CUDA's samples
#define __CUDA_RUNTIME_H__
#define CUDART_VERSION 11000
#define CUDA_VERSION 11000
#define CUDART_CB
#define CUDART_INF_F __builtin_huge_valf()
#define CUDART_INF __builtin_huge_val()

// -- vectors
template <class V> struct looplaw_vector {};
#define __LL_PARTS(name, type, n)                                                                  \
  template <> struct looplaw_vector<name> { typedef type part; static constexpr int size = n; };
#define __LL_VECTOR(name, type)                                                                 \
  struct name##1 { type x; };                                                                      \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                        \
  struct name##3 { type x, y, z; };                                                                \
  struct __attribute__((aligned(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)))) name##4 {         \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  __LL_PARTS(name##1, type, 1) __LL_PARTS(name##2, type, 2) __LL_PARTS(name##3, type, 3)           \
  __LL_PARTS(name##4, type, 4)                                                                     \
  static inline __host__ __device__ name##1 make_##name##1(type x) { return {x}; }                 \
  static inline __host__ __device__ name##2 make_##name##2(type x, type y) { return {x, y}; }      \
  static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z) {               \
    return {x, y, z};                                                                              \
  }                                                                                                \
  static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {       \
    return {x, y, z, w};                                                                           \
  }
__LL_VECTOR(char, signed char)
__LL_VECTOR(uchar, unsigned char)
__LL_VECTOR(short, short)
__LL_VECTOR(ushort, unsigned short)
__LL_VECTOR(int, int)
__LL_VECTOR(uint, unsigned)
__LL_VECTOR(long, long)
__LL_VECTOR(ulong, unsigned long)
__LL_VECTOR(longlong, long long)
__LL_VECTOR(ulonglong, unsigned long long)
__LL_VECTOR(float, float)
__LL_VECTOR(double, double)
#undef __LL_VECTOR

#ifdef __HIP__  // whose vectors have operators; a program's own come first
#define __LL_T template <class V, class P = typename looplaw_vector<V>::part>
#define __LL_TS                                                                                    \
  template <class V, class S, class P = typename looplaw_vector<V>::part, class = decltype((P)S())>
#define __LL_F static inline __host__ __device__
__LL_T __LL_F V looplaw_splat(P v) {
  V a;
  a.x = v;
  if constexpr (looplaw_vector<V>::size > 1) a.y = v;
  if constexpr (looplaw_vector<V>::size > 2) a.z = v;
  if constexpr (looplaw_vector<V>::size > 3) a.w = v;
  return a;
}
#define __LL_OPERATOR(op)                                                                          \
  __LL_T __LL_F V &operator op##=(V &a, V b) {                                                     \
    a.x op##= b.x;                                                                                \
    if constexpr (looplaw_vector<V>::size > 1) a.y op##= b.y;                                        \
    if constexpr (looplaw_vector<V>::size > 2) a.z op##= b.z;                                        \
    if constexpr (looplaw_vector<V>::size > 3) a.w op##= b.w;                                        \
    return a;                                                                                      \
  }                                                                                                \
  __LL_TS __LL_F V &operator op##=(V &a, S v) { return a op##= looplaw_splat<V>((P)v); }               \
  __LL_T __LL_F V operator op(V a, V b) { return a op##= b; }                                     \
  __LL_TS __LL_F V operator op(V a, S v) { return a op##= looplaw_splat<V>((P)v); }                    \
  __LL_TS __LL_F V operator op(S v, V b) { return looplaw_splat<V>((P)v) op b; }
__LL_OPERATOR(+) __LL_OPERATOR(-) __LL_OPERATOR(*) __LL_OPERATOR(/) __LL_OPERATOR(%)
__LL_OPERATOR(&) __LL_OPERATOR(|) __LL_OPERATOR(^) __LL_OPERATOR(<<) __LL_OPERATOR(>>)
__LL_T __LL_F V operator-(V a) { return looplaw_splat<V>(P()) - a; }
__LL_T __LL_F V operator~(V a) { return a ^ looplaw_splat<V>((P)~P()); }
__LL_T __LL_F bool operator==(V a, V b) {
  bool same = a.x == b.x;
  if constexpr (looplaw_vector<V>::size > 1) same = same && a.y == b.y;
  if constexpr (looplaw_vector<V>::size > 2) same = same && a.z == b.z;
  if constexpr (looplaw_vector<V>::size > 3) same = same && a.w == b.w;
  return same;
}
__LL_T __LL_F bool operator!=(V a, V b) { return !(a == b); }
#endif

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
  // passed by reference, so that its numbers stay apart in IR
  __host__ __device__ dim3(const dim3 &v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ dim3 &operator=(const dim3 &v) = default;
  __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const { return {x, y, z}; }
};

// -- which thread runs: variables, which programs may hide behind names of their own
#ifdef __HIP__
extern "C" __device__ __attribute__((const)) size_t __ockl_get_local_size(unsigned);
extern "C" __device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned);
#endif
#define __LL_INDEX(name, type, X, Y, Z)                                                            \
  struct __looplaw_##name {                                                                        \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    __declspec(property(get = get_z)) unsigned z;                                                  \
    static inline __device__ __attribute__((always_inline)) unsigned get_x() { return X; }         \
    static inline __device__ __attribute__((always_inline)) unsigned get_y() { return Y; }         \
    static inline __device__ __attribute__((always_inline)) unsigned get_z() { return Z; }         \
    __device__ operator type() const { return {get_x(), get_y(), get_z()}; }                       \
  };                                                                                               \
  extern const __device__ __attribute__((weak)) __looplaw_##name name;
#if defined(__AMDGCN__)
#define __LL_AXES(name, type, f)                                                                \
  __LL_INDEX(name, type, __builtin_amdgcn_##f##_x(), __builtin_amdgcn_##f##_y(),                   \
             __builtin_amdgcn_##f##_z())
__LL_AXES(threadIdx, uint3, workitem_id)
__LL_AXES(blockIdx, uint3, workgroup_id)
__LL_INDEX(blockDim, dim3, (unsigned)__ockl_get_local_size(0), (unsigned)__ockl_get_local_size(1),
           (unsigned)__ockl_get_local_size(2))
__LL_INDEX(gridDim, dim3, (unsigned)__ockl_get_num_groups(0), (unsigned)__ockl_get_num_groups(1),
           (unsigned)__ockl_get_num_groups(2))
#elif defined(__NVPTX__)
#define __LL_AXES(name, type, r)                                                                   \
  __LL_INDEX(name, type, __nvvm_read_ptx_sreg_##r##_x(), __nvvm_read_ptx_sreg_##r##_y(),           \
             __nvvm_read_ptx_sreg_##r##_z())
__LL_AXES(threadIdx, uint3, tid)
__LL_AXES(blockIdx, uint3, ctaid)
__LL_AXES(blockDim, dim3, ntid)
__LL_AXES(gridDim, dim3, nctaid)
#else
extern const uint3 threadIdx, blockIdx;  // in code of the host, where nothing is a thread
extern const dim3 blockDim, gridDim;
#endif
#ifdef __HIP__
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
#endif
#ifdef __AMDGCN__
static constexpr __device__ int warpSize = 64;
#else
static constexpr __device__ int warpSize = 32;
#endif

// -- what threads of a block do together
extern "C" __device__ __attribute__((convergent)) void looplaw_barrier(void);
extern "C" __device__ __attribute__((convergent)) void looplaw_fence(void);
extern "C" __device__ __attribute__((convergent)) void looplaw_warp_barrier(unsigned);
extern "C" __device__ __attribute__((convergent)) int looplaw_vote(int what, int value);
extern "C" __device__ __attribute__((convergent)) unsigned long long looplaw_shuffle(
    int how, unsigned long long value, int offset, int width);
#define __syncthreads() looplaw_barrier()
static inline __device__ void __threadfence() { looplaw_fence(); }
static inline __device__ void __threadfence_block() { looplaw_fence(); }
static inline __device__ void __threadfence_system() { looplaw_fence(); }
static inline __device__ void __syncwarp(unsigned mask = ~0u) { looplaw_warp_barrier(mask); }
static inline __device__ int __any_sync(unsigned, int v) { return looplaw_vote(0, v); }
static inline __device__ int __all_sync(unsigned, int v) { return looplaw_vote(1, v); }
static inline __device__ int __any(int v) { return looplaw_vote(0, v); }
static inline __device__ int __all(int v) { return looplaw_vote(1, v); }
static inline __device__ unsigned __ballot_sync(unsigned, int v) { return looplaw_vote(2, v); }
static inline __device__ unsigned long long __ballot(int v) { return looplaw_vote(2, v); }
static inline __device__ unsigned __activemask() { return looplaw_vote(2, 1); }
static inline __device__ int __syncthreads_or(int v) { looplaw_barrier(); return looplaw_vote(3, v); }
static inline __device__ int __syncthreads_and(int v) { looplaw_barrier(); return looplaw_vote(4, v); }
static inline __device__ int __syncthreads_count(int v) { looplaw_barrier(); return looplaw_vote(5, v); }
template <class T> static inline __device__ T looplaw_shuffled(int how, T v, int offset, int width) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  bits = looplaw_shuffle(how, bits, offset, width);
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}
#define __LL_SHUFFLE(name, how)                                                                 \
  template <class T>                                                                               \
  static inline __device__ T name##_sync(unsigned long long, T v, int at, int width = warpSize) {  \
    return looplaw_shuffled(how, v, at, width);                                                    \
  }                                                                                                \
  template <class T> static inline __device__ T name(T v, int at, int width = warpSize) {          \
    return looplaw_shuffled(how, v, at, width);                                                    \
  }
__LL_SHUFFLE(__shfl, 0)
__LL_SHUFFLE(__shfl_up, 1)
__LL_SHUFFLE(__shfl_down, 2)
__LL_SHUFFLE(__shfl_xor, 3)
#undef __LL_SHUFFLE

// -- atomics
#define __LL_ATOMIC(name, call)                                                                 \
  template <class T, class U> static inline __device__ T name(T *p, U v) {                         \
    return call(p, (T)v, __ATOMIC_RELAXED);                                                        \
  }
__LL_ATOMIC(atomicSub, __atomic_fetch_sub)
__LL_ATOMIC(atomicMin, __atomic_fetch_min)
__LL_ATOMIC(atomicMax, __atomic_fetch_max)
__LL_ATOMIC(atomicAnd, __atomic_fetch_and)
__LL_ATOMIC(atomicOr, __atomic_fetch_or)
__LL_ATOMIC(atomicXor, __atomic_fetch_xor)
#undef __LL_ATOMIC
template <class T, class U> static inline __device__ T atomicAdd(T *p, U v) {
  return __atomic_fetch_add(p, (T)v, __ATOMIC_RELAXED);
}
extern "C" __device__ float looplaw_atomic_add_float(float *, float);
extern "C" __device__ double looplaw_atomic_add_double(double *, double);
template <class U> static inline __device__ float atomicAdd(float *p, U v) {
  return looplaw_atomic_add_float(p, (float)v);
}
template <class U> static inline __device__ double atomicAdd(double *p, U v) {
  return looplaw_atomic_add_double(p, (double)v);
}
static inline __device__ unsigned atomicInc(unsigned *p, unsigned most) {
  unsigned old = *p;
  *p = old >= most ? 0 : old + 1;
  return old;
}
static inline __device__ unsigned atomicDec(unsigned *p, unsigned most) {
  unsigned old = *p;
  *p = old == 0 || old > most ? most : old - 1;
  return old;
}
template <class T, class U> static inline __device__ T atomicExch(T *p, U v) {
  T old = *p;
  *p = (T)v;
  return old;
}
template <class T, class U, class V> static inline __device__ T atomicCAS(T *p, U c, V v) {
  T old = (T)c;
  __atomic_compare_exchange_n(p, &old, (T)v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
}

#define __LL_SCOPES(name) __LL_SCOPE(name, system) __LL_SCOPE(name, block)
#define __LL_SCOPE(name, scope)                                                                    \
  template <class... A> static inline __device__ auto name##_##scope(A... a) { return name(a...); }
__LL_SCOPES(atomicAdd) __LL_SCOPES(atomicSub) __LL_SCOPES(atomicMin) __LL_SCOPES(atomicMax)
__LL_SCOPES(atomicAnd) __LL_SCOPES(atomicOr) __LL_SCOPES(atomicXor) __LL_SCOPES(atomicExch)
__LL_SCOPES(atomicCAS) __LL_SCOPES(atomicInc) __LL_SCOPES(atomicDec)

// -- arithmetic
#define __LL_MATH1(name)                                                                           \
  extern "C" __device__ __attribute__((const)) double name(double);                                   \
  extern "C" __device__ __attribute__((const)) float name##f(float);
#define __LL_MATH2(name)                                                                           \
  extern "C" __device__ __attribute__((const)) double name(double, double);                           \
  extern "C" __device__ __attribute__((const)) float name##f(float, float);
__LL_MATH1(acos) __LL_MATH1(acosh) __LL_MATH1(asin) __LL_MATH1(asinh)
__LL_MATH1(atan) __LL_MATH1(atanh) __LL_MATH1(cbrt) __LL_MATH1(ceil)
__LL_MATH1(cos) __LL_MATH1(cosh) __LL_MATH1(erf) __LL_MATH1(erfc) __LL_MATH1(exp)
__LL_MATH1(exp2) __LL_MATH1(exp10) __LL_MATH1(expm1) __LL_MATH1(fabs)
__LL_MATH1(floor) __LL_MATH1(lgamma) __LL_MATH1(log) __LL_MATH1(log10)
__LL_MATH1(log1p) __LL_MATH1(log2) __LL_MATH1(nearbyint) __LL_MATH1(rint)
__LL_MATH1(round) __LL_MATH1(rsqrt) __LL_MATH1(sin) __LL_MATH1(sinh)
__LL_MATH1(sqrt) __LL_MATH1(tan) __LL_MATH1(tanh) __LL_MATH1(tgamma)
__LL_MATH1(trunc) __LL_MATH2(atan2) __LL_MATH2(copysign) __LL_MATH2(fdim)
__LL_MATH2(fmax) __LL_MATH2(fmin) __LL_MATH2(fmod) __LL_MATH2(hypot)
__LL_MATH2(pow) __LL_MATH2(remainder) __LL_MATH2(nextafter) __LL_MATH2(rhypot)
__LL_MATH1(cospi) __LL_MATH1(erfcinv) __LL_MATH1(erfcx) __LL_MATH1(erfinv) __LL_MATH1(j0)
__LL_MATH1(j1) __LL_MATH1(logb) __LL_MATH1(normcdf) __LL_MATH1(normcdfinv) __LL_MATH1(rcbrt)
__LL_MATH1(sinpi) __LL_MATH1(y0) __LL_MATH1(y1) __LL_MATH1(cyl_bessel_i0) __LL_MATH1(cyl_bessel_i1)
#define __LL_MATH(result, name, ...)                                                               \
  extern "C" __device__ result(double) name(__VA_ARGS__(double));                                  \
  extern "C" __device__ result(float) name##f(__VA_ARGS__(float));
#define __LL_SAME(type) type
#define __LL_INT(type) int
#define __LL_LONG(type) long
#define __LL_LLONG(type) long long
#define __LL_AND_INT(type) type, int
#define __LL_AND_INTP(type) type, int *
#define __LL_AND_P(type) type, type *
#define __LL_AND_PP(type) type, type *, type *
#define __LL_THREE(type) type, type, type
__LL_MATH(__LL_SAME, ldexp, __LL_AND_INT) __LL_MATH(__LL_SAME, scalbn, __LL_AND_INT)
__LL_MATH(__LL_SAME, frexp, __LL_AND_INTP) __LL_MATH(__LL_SAME, modf, __LL_AND_P)
__LL_MATH(__LL_INT, ilogb, __LL_SAME) __LL_MATH(__LL_LONG, lrint, __LL_SAME)
__LL_MATH(__LL_LONG, lround, __LL_SAME) __LL_MATH(__LL_LLONG, llrint, __LL_SAME)
__LL_MATH(__LL_LLONG, llround, __LL_SAME) __LL_MATH(__LL_SAME, norm3d, __LL_THREE)
__LL_MATH(__LL_SAME, rnorm3d, __LL_THREE)
extern "C" __device__ void sincospi(double, double *, double *);
extern "C" __device__ void sincospif(float, float *, float *);
extern "C" __device__ double nan(const char *);
extern "C" __device__ float nanf(const char *);
extern "C" __device__ __attribute__((const)) double fma(double, double, double);
extern "C" __device__ __attribute__((const)) float fmaf(float, float, float);
extern "C" __device__ void sincos(double, double *, double *);
extern "C" __device__ void sincosf(float, float *, float *);
extern "C" __device__ __attribute__((const)) int abs(int);
extern "C" __device__ __attribute__((const)) long labs(long);
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
extern "C" __device__ void *memcpy(void *, const void *, size_t);
extern "C" __device__ void *memset(void *, int, size_t);
#define __LL_OVERLOAD1(name)                                                                       \
  static inline __device__ float name(float x) { return name##f(x); }
__LL_OVERLOAD1(acos) __LL_OVERLOAD1(asin) __LL_OVERLOAD1(atan) __LL_OVERLOAD1(ceil)
__LL_OVERLOAD1(cos) __LL_OVERLOAD1(cosh) __LL_OVERLOAD1(exp) __LL_OVERLOAD1(fabs)
__LL_OVERLOAD1(floor) __LL_OVERLOAD1(log) __LL_OVERLOAD1(log10) __LL_OVERLOAD1(log2)
__LL_OVERLOAD1(exp2) __LL_OVERLOAD1(erf) __LL_OVERLOAD1(round) __LL_OVERLOAD1(sin)
__LL_OVERLOAD1(sinh) __LL_OVERLOAD1(sqrt) __LL_OVERLOAD1(tan) __LL_OVERLOAD1(tanh)
__LL_OVERLOAD1(rsqrt)
static inline __device__ float pow(float x, float y) { return powf(x, y); }
static inline __device__ float pow(float x, int y) { return powf(x, (float)y); }
static inline __device__ double pow(double x, int y) { return pow(x, (double)y); }
static inline __device__ float fmod(float x, float y) { return fmodf(x, y); }
static inline __device__ float abs(float x) { return fabsf(x); }
static inline __device__ double abs(double x) { return fabs(x); }
static inline __device__ long abs(long x) { return labs(x); }
static inline __device__ float atan2(float x, float y) { return atan2f(x, y); }
static inline __device__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline __device__ double sqrt(int x) { return sqrt((double)x); }
#define __LL_EXTREMA(type)                                                                      \
  static inline __host__ __device__ type min(type a, type b) { return a < b ? a : b; }                      \
  static inline __host__ __device__ type max(type a, type b) { return a < b ? b : a; }
__LL_EXTREMA(int) __LL_EXTREMA(unsigned) __LL_EXTREMA(long) __LL_EXTREMA(unsigned long)
__LL_EXTREMA(long long) __LL_EXTREMA(unsigned long long) __LL_EXTREMA(float)
__LL_EXTREMA(double)
#define __LL_MIXED(left, right, type)                                                              \
  static inline __host__ __device__ type min(left a, right b) { return min((type)a, (type)b); }    \
  static inline __host__ __device__ type min(right a, left b) { return min((type)a, (type)b); }    \
  static inline __host__ __device__ type max(left a, right b) { return max((type)a, (type)b); }    \
  static inline __host__ __device__ type max(right a, left b) { return max((type)a, (type)b); }
__LL_MIXED(unsigned, int, unsigned) __LL_MIXED(long, unsigned long, unsigned long)
__LL_MIXED(long long, unsigned long long, unsigned long long) __LL_MIXED(float, double, double)
#define __LL_NAMED_EXTREMA(p, type)                                                                \
  static inline __device__ type p##min(type a, type b) { return a < b ? a : b; }                   \
  static inline __device__ type p##max(type a, type b) { return a < b ? b : a; }
__LL_NAMED_EXTREMA(u, unsigned) __LL_NAMED_EXTREMA(ll, long long)
__LL_NAMED_EXTREMA(ull, unsigned long long)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define __tanf(x) tanf(x)
#define __powf(x, y) powf(x, y)
#define __fdividef(x, y) ((x) / (y))
#define __saturatef(x) fminf(fmaxf(x, 0.0f), 1.0f)
#define __mul24(x, y) ((x) * (y))
#define __umul24(x, y) ((x) * (y))
static inline __device__ int __popc(unsigned v) { return __builtin_popcount(v); }
static inline __device__ int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline __device__ int __clz(int v) { return v ? __builtin_clz(v) : 32; }
static inline __device__ int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
static inline __device__ int __ffs(int v) { return __builtin_ffs(v); }
static inline __device__ unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
static inline __device__ float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
static inline __device__ int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
static inline __device__ unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
static inline __device__ float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
static inline __device__ long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
static inline __device__ double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
#include "intrinsics.h"
// -- textures: what a fetch yields is not known
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                              cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned,
                             cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
extern "C" __device__ const void *looplaw_texel(int);
#define __LL_TEXTURE(name, ...)                                                                    \
  template <class T, int d, cudaTextureReadMode m, class... Index>                                 \
  static inline __device__ T name(texture<T, d, m>, Index... at) {                                 \
    return *(const T *)looplaw_texel((int(at) + ...));                                             \
  }                                                                                                \
  template <class T, class... Index>                                                               \
  static inline __device__ T name(cudaTextureObject_t, Index... at) {                              \
    return *(const T *)looplaw_texel((int(at) + ...));                                             \
  }
typedef unsigned long long cudaTextureObject_t, hipTextureObject_t, cudaSurfaceObject_t,
    hipSurfaceObject_t, CUtexObject, CUsurfObject;
__LL_TEXTURE(tex1Dfetch) __LL_TEXTURE(tex1D) __LL_TEXTURE(tex2D) __LL_TEXTURE(tex3D)
__LL_TEXTURE(tex1DLod) __LL_TEXTURE(tex2DLod) __LL_TEXTURE(tex3DLod) __LL_TEXTURE(tex1DLayered)
__LL_TEXTURE(tex2DLayered) __LL_TEXTURE(tex2DLayeredLod) __LL_TEXTURE(texCubemap)
__LL_TEXTURE(texCubemapLayered) __LL_TEXTURE(tex2Dgather)
#undef __LL_TEXTURE
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
template <class T, int dimensions = 1> struct surface { cudaChannelFormatDesc channelDesc; };
#define __LL_SURFACE(dimensions, ...)                                                              \
  template <class T, class S>                                                                      \
  static inline __device__ T surf##dimensions##read(S, __VA_ARGS__, int = 0) {                     \
    return *(const T *)looplaw_texel(x);                                                           \
  }                                                                                                \
  template <class T, class S>                                                                      \
  static inline __device__ void surf##dimensions##read(T *v, S, __VA_ARGS__, int = 0) {            \
    *v = *(const T *)looplaw_texel(x);                                                             \
  }                                                                                                \
  template <class T, class S>                                                                      \
  static inline __device__ void surf##dimensions##write(T v, S, __VA_ARGS__, int = 0) {            \
    *(T *)looplaw_texel(x) = v;                                                                    \
  }
__LL_SURFACE(1D, int x) __LL_SURFACE(2D, int x, int y) __LL_SURFACE(3D, int x, int y, int z)
__LL_SURFACE(1DLayered, int x, int layer) __LL_SURFACE(2DLayered, int x, int y, int layer)
__LL_SURFACE(Cubemap, int x, int y, int face)
#undef __LL_SURFACE
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() { return {}; }
template <class... A> static inline int cudaBindTexture(A &&...) { return 0; }
template <class... A> static inline int cudaBindTextureToArray(A &&...) { return 0; }
template <class... A> static inline int cudaUnbindTexture(A &&...) { return 0; }

extern "C" __device__ long long clock64(void);
extern "C" __device__ long clock(void) __attribute__((noinline));

extern "C" unsigned looplaw_launch(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   size_t);

// -- the host's side, once for each of the two names
enum looplaw_copy { looplaw_of_copies = 4 };
#define __LL_HOST(P)                                                                            \
  enum P##Error_t { P##Success = 0, P##ErrorInvalidValue = 1, P##ErrorMemoryAllocation = 2,        \
                    P##ErrorNotReady = 600, P##ErrorUnknown = 999 };                               \
  typedef P##Error_t P##Error;                                                                     \
  enum P##MemcpyKind { P##MemcpyHostToHost, P##MemcpyHostToDevice, P##MemcpyDeviceToHost,          \
                       P##MemcpyDeviceToDevice, P##MemcpyDefault };                                \
  enum P##FuncCache { P##FuncCachePreferNone, P##FuncCachePreferShared, P##FuncCachePreferL1 };    \
  typedef struct P##Stream_s *P##Stream_t;                                                         \
  typedef struct P##Event_s *P##Event_t;                                                           \
  struct P##DeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock; int warpSize,   \
      maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor,               \
      multiProcessorCount, memoryClockRate, memoryBusWidth, l2CacheSize,                           \
      maxThreadsPerMultiProcessor, concurrentKernels, integrated, canMapHostMemory, regsPerBlock,  \
      deviceOverlap, computeMode, kernelExecTimeoutEnabled, asyncEngineCount, ECCEnabled;          \
      size_t totalConstMem, memPitch, textureAlignment, sharedMemPerMultiprocessor; };             \
  typedef P##DeviceProp P##DeviceProp_t;                                                           \
  struct P##PitchedPtr { void *ptr; size_t pitch, xsize, ysize; };                                 \
  struct P##Extent { size_t width, height, depth; };                                               \
  static inline P##Extent make_##P##Extent(size_t w, size_t h, size_t d) { return {w, h, d}; }     \
  extern "C" {                                                                                     \
  P##Error_t P##MallocLooplaw(void **, size_t);                                                    \
  P##Error_t P##Free(void *);                                                                      \
  P##Error_t P##FreeHost(void *);                                                                  \
  P##Error_t P##HostFree(void *);                                                                  \
  P##Error_t P##Memcpy(void *, const void *, size_t, P##MemcpyKind);                               \
  P##Error_t P##MemcpyAsync(void *, const void *, size_t, P##MemcpyKind, P##Stream_t = 0);         \
  P##Error_t P##Memcpy2D(void *, size_t, const void *, size_t, size_t, size_t, P##MemcpyKind);     \
  P##Error_t P##Memset(void *, int, size_t);                                                       \
  P##Error_t P##MemsetAsync(void *, int, size_t, P##Stream_t = 0);                                 \
  P##Error_t P##MemcpyToSymbolLooplaw(const void *, const void *, size_t, size_t, P##MemcpyKind);  \
  P##Error_t P##MemcpyFromSymbolLooplaw(void *, const void *, size_t, size_t, P##MemcpyKind);      \
  P##Error_t P##DeviceSynchronize(void);                                                           \
  P##Error_t P##DeviceReset(void);                                                                 \
  P##Error_t P##ThreadSynchronize(void);                                                           \
  P##Error_t P##ThreadExit(void);                                                                  \
  P##Error_t P##GetLastError(void);                                                                \
  P##Error_t P##PeekAtLastError(void);                                                             \
  const char *P##GetErrorString(P##Error_t);                                                       \
  const char *P##GetErrorName(P##Error_t);                                                         \
  P##Error_t P##SetDevice(int);                                                                    \
  P##Error_t P##GetDevice(int *);                                                                  \
  P##Error_t P##GetDeviceCount(int *);                                                             \
  P##Error_t P##GetDeviceProperties(P##DeviceProp *, int);                                         \
  P##Error_t P##MemGetInfo(size_t *, size_t *);                                                    \
  P##Error_t P##StreamCreate(P##Stream_t *);                                                       \
  P##Error_t P##StreamDestroy(P##Stream_t);                                                        \
  P##Error_t P##StreamSynchronize(P##Stream_t);                                                    \
  P##Error_t P##StreamCreateWithFlags(P##Stream_t *, unsigned);                                    \
  P##Error_t P##EventCreateWithFlags(P##Event_t *, unsigned);                                      \
  P##Error_t P##EventCreate(P##Event_t *);                                                         \
  P##Error_t P##EventDestroy(P##Event_t);                                                          \
  P##Error_t P##EventRecord(P##Event_t, P##Stream_t = 0);                                          \
  P##Error_t P##EventSynchronize(P##Event_t);                                                      \
  P##Error_t P##EventElapsedTime(float *, P##Event_t, P##Event_t);                                 \
  P##Error_t P##LaunchKernel(const void *, dim3, dim3, void **, size_t, P##Stream_t);              \
  P##Error_t __##P##PopCallConfiguration(dim3 *, dim3 *, size_t *, P##Stream_t *);                 \
  }                                                                                                \
  static inline unsigned __##P##PushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,    \
                                                      P##Stream_t = 0) {                           \
    looplaw_launch(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared);                     \
    return 0;                                                                                      \
  }                                                                                                \
  template <class T> static inline P##Error_t P##Malloc(T **p, size_t n) {                         \
    return P##MallocLooplaw((void **)p, n);                                                        \
  }                                                                                                \
  template <class T> static inline P##Error_t P##MallocHost(T **p, size_t n, unsigned = 0) {       \
    return P##MallocLooplaw((void **)p, n);                                                        \
  }                                                                                                \
  template <class T> static inline P##Error_t P##HostAlloc(T **p, size_t n, unsigned = 0) {        \
    return P##MallocLooplaw((void **)p, n);                                                        \
  }                                                                                                \
  template <class T> static inline P##Error_t P##MallocManaged(T **p, size_t n, unsigned = 1) {    \
    return P##MallocLooplaw((void **)p, n);                                                        \
  }                                                                                                \
  template <class T>                                                                               \
  static inline P##Error_t P##MallocPitch(T **p, size_t *pitch, size_t width, size_t height) {     \
    *pitch = width;                                                                                \
    return P##MallocLooplaw((void **)p, width * height);                                           \
  }                                                                                                \
  template <class T>                                                                               \
  static inline P##Error_t P##MemcpyToSymbol(const T &s, const void *p, size_t n, size_t at = 0,   \
                                             P##MemcpyKind kind = P##MemcpyHostToDevice) {         \
    return P##MemcpyToSymbolLooplaw((const void *)&s, p, n, at, kind);                             \
  }                                                                                                \
  template <class T>                                                                               \
  static inline P##Error_t P##MemcpyFromSymbol(void *p, const T &s, size_t n, size_t at = 0,       \
                                               P##MemcpyKind kind = P##MemcpyDeviceToHost) {       \
    return P##MemcpyFromSymbolLooplaw(p, (const void *)&s, n, at, kind);                           \
  }                                                                                                \
  template <class T> static inline P##Error_t P##FuncSetCacheConfig(T, P##FuncCache) {             \
    return P##Success;                                                                             \
  }                                                                                                \
  enum P##FuncAttribute { P##FuncAttributeMaxDynamicSharedMemorySize = 8,                          \
                          P##FuncAttributePreferredSharedMemoryCarveout = 9 };                     \
  template <class T> static inline P##Error_t P##FuncSetAttribute(T, P##FuncAttribute, int) {      \
    return P##Success;                                                                             \
  }
__LL_HOST(cuda)
__LL_HOST(hip)
// what hosts ask for beside launches and copies: of no consequence for either
extern "C" int looplaw_asked(void *, void *);
#define __LL_ANY(P, name)                                                                          \
  template <class... A> static inline P##Error_t P##name(A &&...) { return P##Success; }
#define __LL_ASKED(P, name)                                                                        \
  template <class T, class... A> static inline P##Error_t P##name(T *p, A &&...) {                 \
    return (P##Error_t)looplaw_asked((void *)p, 0);                                                \
  }
#define __LL_MORE(P)                                                                               \
  __LL_ANY(P, StreamWaitEvent) __LL_ANY(P, StreamQuery) __LL_ANY(P, EventQuery)                    \
  __LL_ANY(P, MemPrefetchAsync) __LL_ANY(P, MemAdvise) __LL_ANY(P, StreamAttachMemAsync)           \
  __LL_ANY(P, DeviceEnablePeerAccess) __LL_ANY(P, DeviceDisablePeerAccess)                         \
  __LL_ANY(P, HostRegister) __LL_ANY(P, HostUnregister) __LL_ANY(P, FreeAsync)                     \
  __LL_ANY(P, FreeArray) __LL_ANY(P, MemcpyToArray) __LL_ANY(P, Memcpy2DToArray)                   \
  __LL_ANY(P, Memcpy3D) __LL_ANY(P, CreateTextureObject) __LL_ANY(P, DestroyTextureObject)         \
  __LL_ANY(P, CreateSurfaceObject) __LL_ANY(P, DestroySurfaceObject) __LL_ANY(P, SetDeviceFlags)   \
  __LL_ANY(P, DeviceSetLimit) __LL_ANY(P, DeviceSetCacheConfig) __LL_ANY(P, ProfilerStart)         \
  __LL_ANY(P, ProfilerStop) __LL_ANY(P, GraphCreate) __LL_ANY(P, GraphLaunch)                      \
  __LL_ANY(P, GraphInstantiate) __LL_ANY(P, GraphDestroy) __LL_ANY(P, GraphExecDestroy)            \
  __LL_ANY(P, StreamBeginCapture) __LL_ANY(P, StreamEndCapture)                                    \
  __LL_ANY(P, StreamCreateWithPriority) __LL_ASKED(P, MallocArray)                                 \
  __LL_ASKED(P, DeviceCanAccessPeer) __LL_ASKED(P, HostGetDevicePointer)                           \
  __LL_ASKED(P, DriverGetVersion) __LL_ASKED(P, RuntimeGetVersion)                                 \
  __LL_ASKED(P, DeviceGetStreamPriorityRange) __LL_ASKED(P, FuncGetAttributes)                     \
  __LL_ASKED(P, OccupancyMaxActiveBlocksPerMultiprocessor)                                         \
  template <class... A>                                                                            \
  static inline P##Error_t P##OccupancyMaxPotentialBlockSize(int *grid, int *block, A &&...) {     \
    return (P##Error_t)looplaw_asked(grid, block);                                                 \
  }                                                                                                \
  template <class T> static inline P##Error_t P##MallocAsync(T **p, size_t n, P##Stream_t) {       \
    return P##MallocLooplaw((void **)p, n);                                                        \
  }                                                                                                \
  typedef struct P##Array *P##Array_t;                                                             \
  typedef struct P##Graph_s *P##Graph_t;                                                           \
  typedef struct P##GraphExec_s *P##GraphExec_t;                                                   \
  typedef struct P##GraphNode_s *P##GraphNode_t;                                                   \
  struct P##FuncAttributes {                                                                       \
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;                                        \
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;                                    \
  };                                                                                               \
  enum P##ResourceType { P##ResourceTypeArray, P##ResourceTypeMipmappedArray,                      \
                         P##ResourceTypeLinear, P##ResourceTypePitch2D };                          \
  struct P##ResourceDesc {                                                                         \
    P##ResourceType resType;                                                                       \
    struct {                                                                                       \
      struct { P##Array_t array; } array;                                                          \
      struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;             \
      struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; }     \
          pitch2D;                                                                                 \
    } res;                                                                                         \
  };                                                                                               \
  struct P##TextureDesc {                                                                          \
    cudaTextureAddressMode addressMode[3];                                                         \
    cudaTextureFilterMode filterMode;                                                              \
    cudaTextureReadMode readMode;                                                                  \
    int sRGB, normalizedCoords;                                                                    \
    float borderColor[4];                                                                          \
  };                                                                                               \
  enum { P##StreamNonBlocking = 1, P##EventBlockingSync = 1,                                       \
         P##EventDisableTiming, P##HostAllocPortable = 1, P##HostAllocMapped,                      \
         P##HostAllocWriteCombined = 4, P##HostRegisterPortable = 1, P##HostRegisterMapped,        \
         P##DeviceScheduleAuto = 0, P##DeviceScheduleSpin, P##DeviceScheduleYield,                 \
         P##DeviceScheduleBlockingSync = 4, P##DeviceMapHost = 8, P##LimitStackSize = 0,           \
         P##LimitPrintfFifoSize, P##LimitMallocHeapSize, P##StreamCaptureModeGlobal = 0,           \
         P##StreamCaptureModeThreadLocal, P##StreamCaptureModeRelaxed, P##CpuDeviceId = -1 };
__LL_MORE(cuda)
__LL_MORE(hip)
#define __LL_ATTRIBUTES(P)                                                                         \
  enum { P##MaxThreadsPerBlock = 1, P##MaxBlockDimX, P##MaxBlockDimY, P##MaxBlockDimZ,             \
         P##MaxGridDimX, P##MaxGridDimY, P##MaxGridDimZ, P##MaxSharedMemoryPerBlock,               \
         P##TotalConstantMemory, P##WarpSize, P##MaxPitch, P##MaxRegistersPerBlock, P##ClockRate,  \
         P##TextureAlignment, P##GpuOverlap, P##MultiProcessorCount, P##KernelExecTimeout,         \
         P##Integrated, P##CanMapHostMemory, P##ComputeMode, P##ConcurrentKernels = 31,            \
         P##EccEnabled, P##MemoryClockRate = 36, P##GlobalMemoryBusWidth, P##L2CacheSize,          \
         P##MaxThreadsPerMultiProcessor, P##AsyncEngineCount, P##UnifiedAddressing,                \
         P##ComputeCapabilityMajor = 75, P##ComputeCapabilityMinor,                                \
         P##MaxSharedMemoryPerMultiprocessor = 81, P##MaxRegistersPerMultiprocessor,               \
         P##ManagedMemory, P##PageableMemoryAccess = 88, P##ConcurrentManagedAccess,               \
         P##ComputePreemptionSupported, P##CooperativeLaunch = 95,                                 \
         P##MaxSharedMemoryPerBlockOptin = 97 };
__LL_ATTRIBUTES(cudaDevAttr)
__LL_ATTRIBUTES(hipDeviceAttribute)
enum { hipDeviceAttributeMultiprocessorCount = hipDeviceAttributeMultiProcessorCount };
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited,
                       cudaComputeModeExclusiveProcess };
extern "C" cudaError_t cudaDeviceGetAttribute(int *, int, int);
extern "C" hipError_t hipDeviceGetAttribute(int *, int, int);
#define cudaEventDefault 0
#define cudaStreamDefault 0
#define hipStreamDefault 0
#define cudaMemAttachGlobal 1
#define hipMemAttachGlobal 1
#define cudaHostAllocDefault 0
#define hipHostMallocDefault 0
template <class T> static inline hipError_t hipHostMalloc(T **p, size_t n, unsigned = 0) {
  return hipMallocLooplaw((void **)p, n);
}
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define unsafeAtomicAdd(p, v) atomicAdd(p, v)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                               \
  kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#endif
