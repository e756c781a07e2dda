#include "../cufft.h"
