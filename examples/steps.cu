#include <cstdlib>

__global__ void step(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = 0.5f * in[i];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  float *a, *b, *host = (float *)malloc(n * sizeof *host);
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&b, n * sizeof *b);
  for (int t = 0; t < steps; t++) {
    step<<<(n + 255) / 256, 256>>>(b, a, n);
    cudaMemcpy(host, b, n * sizeof *host, cudaMemcpyDeviceToHost);
  }
  return 0;
}
