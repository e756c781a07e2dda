#include "../cuComplex.h"
