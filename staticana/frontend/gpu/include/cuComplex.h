// Complex numbers of CUDA's and HIP's own headers.
#ifndef __LL_CUCOMPLEX_H
#define __LL_CUCOMPLEX_H
#include "gpu_runtime.h"
#define __LL_C(l, P, T, V, R)                                                                      \
  static inline __host__ __device__ V make_##l##Complex(R a, R b) { return {a, b}; }               \
  static inline __host__ __device__ R P##real##T(V v) { return v.x; }                              \
  static inline __host__ __device__ R P##imag##T(V v) { return v.y; }                              \
  static inline __host__ __device__ V P##add##T(V a, V b) { return {a.x + b.x, a.y + b.y}; }       \
  static inline __host__ __device__ V P##sub##T(V a, V b) { return {a.x - b.x, a.y - b.y}; }       \
  static inline __host__ __device__ V P##mul##T(V a, V b) {                                        \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                         \
  }                                                                                                \
  static inline __host__ __device__ V P##div##T(V a, V b) {                                        \
    R s = b.x * b.x + b.y * b.y;                                                                   \
    return {(a.x * b.x + a.y * b.y) / s, (a.y * b.x - a.x * b.y) / s};                             \
  }                                                                                                \
  static inline __host__ __device__ V P##fma##T(V a, V b, V c) {                                   \
    return P##add##T(P##mul##T(a, b), c);                                                          \
  }
typedef float2 cuFloatComplex, cuComplex, hipFloatComplex, hipComplex;
typedef double2 cuDoubleComplex, hipDoubleComplex;
__LL_C(cuFloat, cuC, f, float2, float) __LL_C(cuDouble, cuC, , double2, double)
__LL_C(hipFloat, hipC, f, float2, float) __LL_C(hipDouble, hipC, , double2, double)
#define __LL_CONJ(name, V) static inline __host__ __device__ V name(V v) { return {v.x, -v.y}; }
__LL_CONJ(cuConjf, float2) __LL_CONJ(cuConj, double2) __LL_CONJ(hipConjf, float2)
__LL_CONJ(hipConj, double2)
static inline __host__ __device__ float2 make_cuComplex(float a, float b) { return {a, b}; }
static inline __host__ __device__ float2 make_hipComplex(float a, float b) { return {a, b}; }
static inline __device__ float cuCabsf(float2 v) { return hypotf(v.x, v.y); }
static inline __device__ double cuCabs(double2 v) { return hypot(v.x, v.y); }
static inline __device__ float hipCabsf(float2 v) { return hypotf(v.x, v.y); }
static inline __device__ double hipCabs(double2 v) { return hypot(v.x, v.y); }
#endif
