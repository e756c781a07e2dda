#include "../small_floats.h"
