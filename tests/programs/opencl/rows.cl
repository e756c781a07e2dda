__kernel void rows(__global float *sum, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[row * n + k];
    sum[row] = s;
  }
}
__kernel void scale(__global float *a, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n && j < n) for (int k = 0; k <= j; k++) a[i * n + j] *= 1.5f;
}
