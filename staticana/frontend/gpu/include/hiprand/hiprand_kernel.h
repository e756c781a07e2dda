#ifndef __LL_HIPRAND_KERNEL_H
#define __LL_HIPRAND_KERNEL_H
#define __LL_RANDOM(part) hiprand##part
#include "../random_states.h"
#endif
