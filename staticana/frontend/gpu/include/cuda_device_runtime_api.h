#include "gpu_runtime.h"
