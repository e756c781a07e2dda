// Ten kernels with a known fault, each followed by its mended twin.

__kernel void bad_columns(__global float *out, __global const float *in, int n) {
  int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += in[row * n + k];
  out[row] = s;
}
__kernel void good_columns(__global float *out, __global const float *in, int n) {
  int column = get_global_id(0);
  if (column >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += in[k * n + column];
  out[column] = s;
}

__kernel void bad_swap(__global float *c, __global const float *a, int n) {
  int y = get_global_id(0), x = get_global_id(1);
  if (x < n && y < n) c[y * n + x] = 2 * a[y * n + x];
}
__kernel void good_swap(__global float *c, __global const float *a, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n) c[y * n + x] = 2 * a[y * n + x];
}

__kernel void bad_transpose(__global float *out, __global const float *in, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
__kernel void good_transpose(__global float *out, __global const float *in, int n) {
  __local float tile[32][33];
  int tx = get_local_id(0), ty = get_local_id(1);
  tile[ty][tx] = in[(get_group_id(1) * 32 + ty) * n + get_group_id(0) * 32 + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 32 + ty) * n + get_group_id(1) * 32 + tx] = tile[tx][ty];
}

__kernel void bad_banks(__global float *out, __global const float *in, int n) {
  __local float tile[32][32];
  int tx = get_local_id(0), ty = get_local_id(1);
  tile[ty][tx] = in[(get_group_id(1) * 32 + ty) * n + get_group_id(0) * 32 + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 32 + ty) * n + get_group_id(1) * 32 + tx] = tile[tx][ty];
}
__kernel void good_banks(__global float *out, __global const float *in, int n) {
  __local float tile[32][33];
  int tx = get_local_id(0), ty = get_local_id(1);
  tile[ty][tx] = in[(get_group_id(1) * 32 + ty) * n + get_group_id(0) * 32 + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 32 + ty) * n + get_group_id(1) * 32 + tx] = tile[tx][ty];
}

__kernel void bad_stride(__local float *sums, __global float *out, int n) {
  int t = get_local_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s += sums[(t * 16 + k) & 4095];
  out[get_global_id(0)] = s + sums[t * 16];
}
__kernel void good_stride(__local float *sums, __global float *out, int n) {
  int t = get_local_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s += sums[(t + 32 * k) & 4095];
  out[get_global_id(0)] = s + sums[t];
}

struct particle { float x, y, z, vx, vy, vz, mass, pad; };
__kernel void bad_structures(__global float *out, __global const struct particle *p, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = p[i].mass;
}
__kernel void good_structures(__global float *out, __global const float *mass, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = mass[i];
}

__kernel void bad_parity(__global float *a, int n, int m) {
  int i = get_global_id(0);
  if (i < n && i % 2 == 0)
    for (int k = 0; k < m; k++) a[i] += k;
}
__kernel void good_parity(__global float *a, int n, int m) {
  int i = get_global_id(0);
  if (2 * i < n)
    for (int k = 0; k < m; k++) a[i] += k;
}

__kernel void bad_one_lane(__global float *out, __global const float *in, int m) {
  int i = get_global_id(0);
  if (i % 32 == 0) {
    float s = 0;
    for (int k = 0; k < m; k++) s += in[k];
    out[i / 32] = s;
  }
}
__kernel void good_one_lane(__global float *out, __global const float *in, int m) {
  float s = 0;
  for (int k = 0; k < m; k++) s += in[k];
  out[get_global_id(0)] = s;
}

__kernel void bad_chunks(__global float *a) {
  int first = get_global_id(0) * 16;
  for (int i = first; i < first + 16; i++) a[i] *= 2;
}
__kernel void good_chunks(__global float *a) {
  int threads = get_global_size(0);
  for (int i = get_global_id(0); i < threads * 16; i += threads) a[i] *= 2;
}

__kernel void bad_quarter(__global float *a, int m) {
  int i = get_global_id(0);
  for (int k = 0; k < m; k++)
    if (i % 4 == 0) a[i] += k;
}
__kernel void good_quarter(__global float *a, int m) {
  int i = get_global_id(0);
  for (int k = 0; k < m; k++) a[i] += k;
}
