__kernel void rows(__global float *sum, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[row * n + k];
    sum[row] = s;
  }
}
