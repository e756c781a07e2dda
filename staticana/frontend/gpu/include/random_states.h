// Random numbers of a library, whose names __LL_RANDOM(part) makes: what is drawn is not known.
#include "gpu_runtime.h"
struct __LL_RANDOM(State) { unsigned long long a, b, c; };
typedef __LL_RANDOM(State) __LL_RANDOM(State_t), __LL_RANDOM(StateXORWOW_t), __LL_RANDOM(StateXORWOW), __LL_RANDOM(StatePhilox4_32_10_t),
    __LL_RANDOM(StateMRG32k3a_t), __LL_RANDOM(StateSobol32), __LL_RANDOM(StateSobol32_t), __LL_RANDOM(StateScrambledSobol32_t),
    __LL_RANDOM(StateSobol64), __LL_RANDOM(StateSobol64_t), __LL_RANDOM(StateScrambledSobol64_t);
typedef unsigned __LL_RANDOM(DirectionVectors32_t)[32];
typedef unsigned long long __LL_RANDOM(DirectionVectors64_t)[64];
extern "C" __device__ unsigned looplaw_random(void *state);
template <class S>
static inline __device__ void __LL_RANDOM(_init)(unsigned long long seed, unsigned long long sequence,
                                       unsigned long long offset, S *state) {
  *state = {seed, sequence, offset};
}
template <class V, class S>
static inline __device__ void __LL_RANDOM(_init)(const V *, unsigned long long offset, S *state) {
  *state = {0, 0, offset};
}
template <class S> static inline __device__ void skipahead(unsigned long long n, S *state) {
  state->c += n;
}
template <class S> static inline __device__ unsigned __LL_RANDOM()(S *s) { return looplaw_random(s); }
template <class S> static inline __device__ float __LL_RANDOM(_uniform)(S *s) {
  return looplaw_random(s) * 2.3283064e-10f;
}
template <class S> static inline __device__ double __LL_RANDOM(_uniform_double)(S *s) {
  return looplaw_random(s) * 2.3283064365386963e-10;
}
template <class S> static inline __device__ float __LL_RANDOM(_normal)(S *s) { return __LL_RANDOM(_uniform)(s); }
template <class S> static inline __device__ double __LL_RANDOM(_normal_double)(S *s) {
  return __LL_RANDOM(_uniform_double)(s);
}
#define __LL_DRAWN(what, type)                                                                     \
  template <class S> static inline __device__ type##2 __LL_RANDOM(what##2)(S *s) {                 \
    return {__LL_RANDOM(what)(s), __LL_RANDOM(what)(s)};                                           \
  }                                                                                                \
  template <class S> static inline __device__ type##4 __LL_RANDOM(what##4)(S *s) {                 \
    return {__LL_RANDOM(what)(s), __LL_RANDOM(what)(s), __LL_RANDOM(what)(s),                      \
            __LL_RANDOM(what)(s)};                                                                 \
  }
__LL_DRAWN(, uint) __LL_DRAWN(_uniform, float) __LL_DRAWN(_normal, float)
#undef __LL_DRAWN
template <class S> static inline __device__ double2 __LL_RANDOM(_uniform2_double)(S *s) {
  return {__LL_RANDOM(_uniform_double)(s), __LL_RANDOM(_uniform_double)(s)};
}
template <class S> static inline __device__ double2 __LL_RANDOM(_normal2_double)(S *s) {
  return {__LL_RANDOM(_normal_double)(s), __LL_RANDOM(_normal_double)(s)};
}
template <class S> static inline __device__ float __LL_RANDOM(_log_normal)(S *s, float, float) {
  return __LL_RANDOM(_uniform)(s);
}
template <class S> static inline __device__ unsigned __LL_RANDOM(_poisson)(S *s, double) {
  return looplaw_random(s);
}
#undef __LL_RANDOM
