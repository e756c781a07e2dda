// The types of Fourier transforms: what hosts call of them is left out with the host.
#ifndef __LL_CUFFT_H
#define __LL_CUFFT_H
#include "cuComplex.h"
typedef float cufftReal, hipfftReal;
typedef double cufftDoubleReal, hipfftDoubleReal;
typedef float2 cufftComplex, hipfftComplex;
typedef double2 cufftDoubleComplex, hipfftDoubleComplex;
typedef int cufftHandle;
typedef struct hipfft_handle *hipfftHandle;
enum cufftResult { CUFFT_SUCCESS };
enum hipfftResult { HIPFFT_SUCCESS };
#endif
