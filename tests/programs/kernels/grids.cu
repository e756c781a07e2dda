// Kernels on planes and in space, in CUDA; the program launches some of them.
#include <cstdio>
#include <cstdlib>

#define TILE 16

__global__ void matmul(float *c, const float *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

__global__ void matmul_swapped(float *c, const float *a, const float *b, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

__global__ void matmul_tiled(float *c, const float *a, const float *b, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  float s = 0;
  for (int m = 0; m < n / TILE; m++) {
    as[ty][tx] = a[y * n + m * TILE + tx];
    bs[ty][tx] = b[(m * TILE + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < TILE; k++) s += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[y * n + x] = s;
}

__global__ void jacobi(float *out, const float *in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                              in[(y + 1) * w + x]);
}

__global__ void transpose(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

__global__ void transpose_tiled(float *out, const float *in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void columns_in_tile(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void convolve(float *out, const float *in, const float *mask, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < r || x >= w - r || y < r || y >= h - r) return;
  float s = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++)
      s += mask[(dy + r) * (2 * r + 1) + dx + r] * in[(y + dy) * w + x + dx];
  out[y * w + x] = s;
}

__global__ void heat3d(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x] * 0.5f;
}

__global__ void columns3d(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  for (int z = 1; z < nz - 1; z++) out[(z * ny + y) * nx + x] = in[((z - 1) * ny + y) * nx + x];
}

__global__ void lower_triangle(float *l, const float *a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = 0; j <= row; j++) l[row * n + j] = a[row * n + j];
}

__global__ void upper_triangle(float *u, const float *a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = row; j < n; j++) u[row * n + j] = a[row * n + j];
}

__global__ void mandelbrot(int *out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float cr = 3.0f * x / w - 2, ci = 2.0f * y / h - 1, zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    k++;
  }
  out[y * w + x] = k;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof *a);
  cudaMalloc(&b, n * n * sizeof *b);
  cudaMalloc(&c, n * n * sizeof *c);
  dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  matmul<<<grid, block>>>(c, a, b, n);
  for (int t = 0; t < steps; t++) jacobi<<<grid, block>>>(c, a, n, n);
  for (int t = 0; t < steps; t++) lower_triangle<<<(n + 255) / 256, 256>>>(c, a, n);
  cudaDeviceSynchronize();
  return 0;
}
