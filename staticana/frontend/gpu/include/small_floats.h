// Floating point of 16 bits, for clang without a toolkit, by the types that clang 19 has for it.
#ifndef __LL_SMALL_FLOATS_H
#define __LL_SMALL_FLOATS_H
#include "gpu_runtime.h"
#define __LL_M __attribute__((always_inline)) __host__ __device__
#define __LL_DEVICE static inline __attribute__((always_inline)) __device__
#define __LL_HD static inline __LL_M
typedef _Float16 __half;
typedef __bf16 __nv_bfloat16;
#define __LL_SMALL(name, P, MANY)                                                                  \
  struct __attribute__((aligned(4))) name##2 {                                                     \
    name x, y;                                                                                     \
    name##2() = default;                                                                           \
    __LL_M name##2(name a, name b) : x(a), y(b) {}                                                 \
  };                                                                                               \
  __LL_HD name##2 operator+(name##2 a, name##2 b) { return {name(a.x + b.x), name(a.y + b.y)}; }   \
  __LL_HD name##2 operator-(name##2 a, name##2 b) { return {name(a.x - b.x), name(a.y - b.y)}; }   \
  __LL_HD name##2 operator-(name##2 v) { return {name(-v.x), name(-v.y)}; }                        \
  __LL_HD name##2 operator*(name##2 a, name##2 b) { return {name(a.x * b.x), name(a.y * b.y)}; }   \
  __LL_HD name __float2##P(float v) { return name(v); }                                            \
  __LL_HD name __float2##P##_rn(float v) { return name(v); }                                       \
  __LL_HD name __float2##P##_rz(float v) { return name(v); }                                       \
  __LL_HD name __double2##P(double v) { return name(v); }                                          \
  __LL_HD name __int2##P##_rn(int v) { return name(v); }                                           \
  __LL_HD name __uint2##P##_rn(unsigned v) { return name(v); }                                     \
  __LL_HD name __ushort_as_##P(unsigned short v) { return __builtin_bit_cast(name, v); }           \
  __LL_HD unsigned short __##P##_as_ushort(name v) { return __builtin_bit_cast(unsigned short, v); }\
  __LL_HD short __##P##_as_short(name v) { return __builtin_bit_cast(short, v); }                  \
  __LL_HD float __##P##2float(name v) { return float(v); }                                         \
  __LL_HD int __##P##2int_rn(name v) { return (int)float(v); }                                     \
  __LL_HD int __##P##2int_rz(name v) { return (int)float(v); }                                     \
  __LL_HD name##2 __##P##2##P##2(name v) { return {v, v}; }                                        \
  __LL_HD name##2 __##MANY##2##P##2(name a, name b) { return {a, b}; }                             \
  __LL_HD name##2 make_##P##2(name a, name b) { return {a, b}; }                                   \
  __LL_HD name##2 __float2##P##2_rn(float v) { return {name(v), name(v)}; }                        \
  __LL_HD name##2 __floats2##P##2_rn(float a, float b) { return {name(a), name(b)}; }              \
  __LL_HD name##2 __float22##P##2_rn(float2 v) { return {name(v.x), name(v.y)}; }                  \
  __LL_HD float2 __##P##22float2(name##2 v) { return {float(v.x), float(v.y)}; }                   \
  __LL_HD name __low2##P(name##2 v) { return v.x; }                                                \
  __LL_HD name __high2##P(name##2 v) { return v.y; }                                               \
  __LL_SMALL2(__hadd, name, +) __LL_SMALL2(__hsub, name, -) __LL_SMALL2(__hmul, name, *)           \
  __LL_SMALL2(__hdiv, name, /)                                                                     \
  __LL_HD name __hfma(name a, name b, name c) { return name(float(a) * float(b) + float(c)); }     \
  __LL_HD name##2 __hfma2(name##2 a, name##2 b, name##2 c) {                                       \
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                         \
  }                                                                                                \
  __LL_HD name __hmax(name a, name b) { return float(a) < float(b) ? b : a; }                      \
  __LL_HD name __hmin(name a, name b) { return float(b) < float(a) ? b : a; }                      \
  __LL_HD name max(name a, name b) { return a < b ? b : a; }                                       \
  __LL_HD name min(name a, name b) { return b < a ? b : a; }                                       \
  __LL_HD name __hneg(name v) { return -v; }                                                       \
  __LL_HD name __habs(name v) { return float(v) < 0 ? -v : v; }                                    \
  __LL_COMPARED(__hlt, name, <)                                                                    \
  __LL_COMPARED(__hle, name, <=)                                                                   \
  __LL_COMPARED(__hgt, name, >)                                                                    \
  __LL_COMPARED(__hge, name, >=)                                                                   \
  __LL_COMPARED(__heq, name, ==)                                                                   \
  __LL_COMPARED(__hne, name, !=)                                                                   \
  __LL_HD bool __hisnan(name a) { return float(a) != float(a); }                                   \
  __LL_HALF1(name, sqrt, sqrtf(float(v)))                                                          \
  __LL_HALF1(name, rsqrt, rsqrtf(float(v)))                                                        \
  __LL_HALF1(name, rcp, (1 / float(v)))                                                            \
  __LL_HALF1(name, exp, expf(float(v)))                                                            \
  __LL_HALF1(name, exp2, exp2f(float(v)))                                                          \
  __LL_HALF1(name, exp10, exp10f(float(v)))                                                        \
  __LL_HALF1(name, log, logf(float(v)))                                                            \
  __LL_HALF1(name, log2, log2f(float(v)))                                                          \
  __LL_HALF1(name, log10, log10f(float(v)))                                                        \
  __LL_HALF1(name, sin, sinf(float(v)))                                                            \
  __LL_HALF1(name, cos, cosf(float(v)))                                                            \
  __LL_HALF1(name, tanh, tanhf(float(v)))                                                          \
  __LL_HALF1(name, ceil, ceilf(float(v)))                                                          \
  __LL_HALF1(name, floor, floorf(float(v)))                                                        \
  __LL_HALF1(name, trunc, truncf(float(v)))                                                        \
  __LL_HALF1(name, rint, rintf(float(v)))                                                          \
  static inline __device__ name atomicAdd(name *p, name v) { name old = *p; *p = old + v; return old; }\
  static inline __device__ name##2 atomicAdd(name##2 *p, name##2 v) {                              \
    name##2 old = *p; *p = old + v; return old;                                                    \
  }
#define __LL_HALF1(name, f, result)                                                                \
  __LL_DEVICE name h##f(name v) { return name(result); }                                           \
  __LL_DEVICE name##2 h2##f(name##2 v) { return {h##f(v.x), h##f(v.y)}; }
#define __LL_SMALL2(f, name, op)                                                                   \
  __LL_HD name f(name a, name b) { return name(float(a) op float(b)); }                            \
  __LL_HD name##2 f##2(name##2 a, name##2 b) { return {f(a.x, b.x), f(a.y, b.y)}; }
#define __LL_COMPARED(f, name, op)                                                                 \
  __LL_HD bool f(name a, name b) { return float(a) op float(b); }                                  \
  __LL_HD name##2 f##2(name##2 a, name##2 b) {                                                     \
    return {name(float(f(a.x, b.x))), name(float(f(a.y, b.y)))};                                   \
  }
__LL_SMALL(__half, half, halves)
__LL_HD float __low2float(__half2 v) { return float(v.x); }
__LL_HD float __high2float(__half2 v) { return float(v.y); }
__LL_SMALL(__nv_bfloat16, bfloat16, bfloat16s)
__LL_HD float __low2float(__nv_bfloat162 v) { return float(v.x); }
__LL_HD float __high2float(__nv_bfloat162 v) { return float(v.y); }
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16, __hip_bfloat16, hip_bfloat16;
typedef __nv_bfloat162 nv_bfloat162, __hip_bfloat162;
#undef __LL_HD
#undef __LL_M
#endif
