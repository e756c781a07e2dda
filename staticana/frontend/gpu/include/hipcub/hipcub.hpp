#ifndef __LL_HIPCUB_H
#define __LL_HIPCUB_H
#include "../block_collectives.h"
namespace hipcub = looplaw_cub;
#endif
