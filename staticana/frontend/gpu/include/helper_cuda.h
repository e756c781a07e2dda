// What the samples of CUDA use of their own header.
#ifndef __LL_HELPER_CUDA_H
#define __LL_HELPER_CUDA_H
#include "gpu_runtime.h"
#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(message) ((void)cudaGetLastError())
#define CUDA_SAFE_CALL(call) ((void)(call))
static inline int findCudaDevice(int, const char **) { return 0; }
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
struct StopWatchInterface;
extern "C" float looplaw_stopwatch(StopWatchInterface **);
static inline bool sdkCreateTimer(StopWatchInterface **t) { return looplaw_stopwatch(t) >= 0; }
#define sdkDeleteTimer sdkCreateTimer
#define sdkStartTimer sdkCreateTimer
#define sdkStopTimer sdkCreateTimer
#define sdkResetTimer sdkCreateTimer
#define sdkGetTimerValue looplaw_stopwatch
#define sdkGetAverageTimerValue looplaw_stopwatch
#endif
