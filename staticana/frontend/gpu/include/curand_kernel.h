#ifndef __LL_CURAND_KERNEL_H
#define __LL_CURAND_KERNEL_H
#define __LL_RANDOM(part) curand##part
#include "random_states.h"
#endif
