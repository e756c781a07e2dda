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
#endif
