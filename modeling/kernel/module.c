/* The whole kernel, as it is compiled. */

#include "kernel.c"

#include "beam.c"
#include "bounded.c"
#include "choice.c"
#include "fits.c"
#include "intervals.c"
#include "lines.c"
#include "pooling.c"
#include "worth.c"
