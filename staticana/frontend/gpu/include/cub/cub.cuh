#ifndef __LL_CUB_H
#define __LL_CUB_H
#include "../block_collectives.h"
namespace cub = looplaw_cub;
#endif
