// Kernels along one axis: elementwise, guarded, strided, triangular, with shared memory.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void saxpy(__global float *y, __global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] += a * x[i];
}

__kernel void triad(__global double *a, __global const double *b, __global const double *c, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = b[i] + 3.0 * c[i];
}

__kernel void triangular(__global float *a, __global const float *b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < i; j++) s += b[j];
  a[i] = s;
}

__kernel void stencil3(__global float *out, __global const float *in, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1) out[i] = 0.25f * (in[i - 1] + 2 * in[i] + in[i + 1]);
}

__kernel void reduce(__global float *out, __global const float *in, __local float *part, int n) {
  int t = get_local_id(0), i = get_global_id(0);
  part[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}

__kernel void scan(__global int *out, __global const int *in, __local int *part, int n) {
  int t = get_local_id(0), b = get_local_size(0), i = get_global_id(0);
  part[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < b; d *= 2) {
    int v = t >= d ? part[t - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[t] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = part[t];
}

__kernel void nbody(__global float4 *force, __global const float4 *body, __local float4 *tile,
                    int n) {
  int i = get_global_id(0), t = get_local_id(0), b = get_local_size(0);
  float4 f = 0;
  for (int first = 0; first < n; first += b) {
    tile[t] = body[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < b; k++) f += tile[k] - body[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = f;
}

__kernel void spmv_row(__global float *y, __global const int *first, __global const int *column,
                       __global const float *value, __global const float *x, int n) {
  int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = first[row]; k < first[row + 1]; k++) s += value[k] * x[column[k]];
  y[row] = s;
}

__kernel void histogram(__global int *bins, __global const uchar *in, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i]]);
}

__kernel void chunked(__global float *a, int n, int chunk) {
  int first = get_global_id(0) * chunk;
  for (int i = first; i < first + chunk && i < n; i++) a[i] *= 2;
}

__kernel void fixed_rows(__global float *sums, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row < n) {
    float s = 0;
    for (int k = 0; k < 64; k++) s += a[row * 64 + k];
    sums[row] = s;
  }
}

__kernel void backwards(__global float *out, __global const float *in, int n) {
  int i = get_global_id(0);
  if (i < n) out[n - 1 - i] = in[i];
}

__kernel void bitonic(__global int *a, int k, int j) {
  int i = get_global_id(0), other = i ^ j;
  if (other > i) {
    int x = a[i], y = a[other];
    if ((x > y) == ((i & k) == 0)) {
      a[i] = y;
      a[other] = x;
    }
  }
}

__kernel void polynomial(__global double *y, __global const double *x, int n, int degree) {
  int i = get_global_id(0);
  if (i < n) {
    double v = 0;
    for (int k = degree; k >= 0; k--) v = v * x[i] + k;
    y[i] = v;
  }
}
