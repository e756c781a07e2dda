// Random numbers: what is drawn is not known.
#ifndef __LL_CURAND_KERNEL_H
#define __LL_CURAND_KERNEL_H
#include "gpu_runtime.h"
struct curandState { unsigned long long a, b, c; };
typedef curandState curandState_t, curandStateXORWOW_t, curandStateXORWOW, curandStatePhilox4_32_10_t;
extern "C" __device__ unsigned looplaw_random(void *state);
template <class S>
static inline __device__ void curand_init(unsigned long long seed, unsigned long long sequence,
                                       unsigned long long offset, S *state) {
  *state = {seed, sequence, offset};
}
template <class S> static inline __device__ unsigned curand(S *s) { return looplaw_random(s); }
template <class S> static inline __device__ float curand_uniform(S *s) {
  return looplaw_random(s) * 2.3283064e-10f;
}
template <class S> static inline __device__ double curand_uniform_double(S *s) {
  return looplaw_random(s) * 2.3283064365386963e-10;
}
template <class S> static inline __device__ float curand_normal(S *s) { return curand_uniform(s); }
template <class S> static inline __device__ double curand_normal_double(S *s) {
  return curand_uniform_double(s);
}
#define __LL_DRAWN(name, type, one)                                                                \
  template <class S> static inline __device__ type##2 name##2(S *s) { return {one(s), one(s)}; }   \
  template <class S> static inline __device__ type##4 name##4(S *s) {                               \
    return {one(s), one(s), one(s), one(s)};                                                       \
  }
__LL_DRAWN(curand, uint, curand) __LL_DRAWN(curand_uniform, float, curand_uniform)
__LL_DRAWN(curand_normal, float, curand_normal)
#undef __LL_DRAWN
template <class S> static inline __device__ double2 curand_uniform2_double(S *s) {
  return {curand_uniform_double(s), curand_uniform_double(s)};
}
template <class S> static inline __device__ double2 curand_normal2_double(S *s) {
  return {curand_normal_double(s), curand_normal_double(s)};
}
template <class S> static inline __device__ float curand_log_normal(S *s, float, float) {
  return curand_uniform(s);
}
template <class S> static inline __device__ unsigned curand_poisson(S *s, double) {
  return looplaw_random(s);
}
#endif
