#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void transpose(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    float *in, *out;
    cudaMalloc(&in, sizeof(float) * n * n);
    cudaMalloc(&out, sizeof(float) * n * n);
    dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    transpose<<<grid, block>>>(in, out, n);
    cudaDeviceSynchronize();
    return 0;
}
