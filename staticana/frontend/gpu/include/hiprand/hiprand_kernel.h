// Random numbers: what is drawn is not known.
#ifndef __LL_HIPRAND_KERNEL_H
#define __LL_HIPRAND_KERNEL_H
#include "gpu_runtime.h"
struct hiprandState { unsigned long long a, b, c; };
typedef hiprandState hiprandState_t, hiprandStateXORWOW_t, hiprandStateXORWOW, hiprandStatePhilox4_32_10_t;
extern "C" __device__ unsigned looplaw_random(void *state);
template <class S>
static inline __device__ void hiprand_init(unsigned long long seed, unsigned long long sequence,
                                       unsigned long long offset, S *state) {
  *state = {seed, sequence, offset};
}
template <class S> static inline __device__ unsigned hiprand(S *s) { return looplaw_random(s); }
template <class S> static inline __device__ float hiprand_uniform(S *s) {
  return looplaw_random(s) * 2.3283064e-10f;
}
template <class S> static inline __device__ double hiprand_uniform_double(S *s) {
  return looplaw_random(s) * 2.3283064365386963e-10;
}
template <class S> static inline __device__ float hiprand_normal(S *s) { return hiprand_uniform(s); }
template <class S> static inline __device__ double hiprand_normal_double(S *s) {
  return hiprand_uniform_double(s);
}
#define __LL_DRAWN(name, type, one)                                                                \
  template <class S> static inline __device__ type##2 name##2(S *s) { return {one(s), one(s)}; }   \
  template <class S> static inline __device__ type##4 name##4(S *s) {                               \
    return {one(s), one(s), one(s), one(s)};                                                       \
  }
__LL_DRAWN(hiprand, uint, hiprand) __LL_DRAWN(hiprand_uniform, float, hiprand_uniform)
__LL_DRAWN(hiprand_normal, float, hiprand_normal)
#undef __LL_DRAWN
template <class S> static inline __device__ double2 hiprand_uniform2_double(S *s) {
  return {hiprand_uniform_double(s), hiprand_uniform_double(s)};
}
template <class S> static inline __device__ double2 hiprand_normal2_double(S *s) {
  return {hiprand_normal_double(s), hiprand_normal_double(s)};
}
template <class S> static inline __device__ float hiprand_log_normal(S *s, float, float) {
  return hiprand_uniform(s);
}
template <class S> static inline __device__ unsigned hiprand_poisson(S *s, double) {
  return looplaw_random(s);
}
#endif
