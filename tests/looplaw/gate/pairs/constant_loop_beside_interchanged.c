// expected: nothing
// -- before
#include <stdio.h>
#include <stdlib.h>
int sink;
static void sums(int m, int n, double a[m][n], double *mean, double *dev)
{
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += a[j][i];
  }
  for (int j = 0; j < m; j++) {
    dev[j] = 0;
    for (int i = 0; i < n; i++)
      dev[j] += a[j][i] - mean[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[j][i] -= mean[j];
}

int main(int argc, char **argv)
{
  int m = atoi(argv[1]), n = atoi(argv[2]);
  double (*a)[n] = calloc(m, sizeof *a), *mean = calloc(m, 8), *dev = calloc(m, 8);
  sums(m, n, a, mean, dev);
  printf("%f %f\n", mean[0], dev[0]);
}
// -- after
#include <stdio.h>
#include <stdlib.h>
int sink;
static void sums(int m, int n, double a[m][n], double *mean, double *dev)
{
  for (int j = 0; j < m; j++) {
    for (int q = 0; q < 4; q++)
      sink++;
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += a[j][i];
  }
  for (int j = 0; j < m; j++) {
    dev[j] = 0;
    for (int i = 0; i < n; i++)
      dev[j] += a[j][i] - mean[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[j][i] -= mean[j];
}

int main(int argc, char **argv)
{
  int m = atoi(argv[1]), n = atoi(argv[2]);
  double (*a)[n] = calloc(m, sizeof *a), *mean = calloc(m, 8), *dev = calloc(m, 8);
  sums(m, n, a, mean, dev);
  printf("%f %f\n", mean[0], dev[0]);
}
