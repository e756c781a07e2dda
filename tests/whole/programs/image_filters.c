/* -w 6 -h 5 -k 2: w=6 h=5 k=2 n=1 options=3 | -w 9 -h 8 -n 2: w=9 h=8 k=1 n=2 options=3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef struct { int w, h; unsigned char *data; } image;
static image *image_new(int w, int h) {
  image *im = malloc(sizeof *im);
  im->w = w;
  im->h = h;
  im->data = calloc((size_t)w * h, 3);
  return im;
}
static void image_free(image *im) {
  free(im->data);
  free(im);
}
static unsigned char *px(image *im, int x, int y) { return im->data + 3 * (y * im->w + x); }
static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static void blur(image *src, image *dst, int k) {
  for (int y = 0; y < src->h; y++) { /* h*n */
    for (int x = 0; x < src->w; x++) { /* w*h*n */
      int sum = 0, cnt = 0;
      for (int d = -k; d <= k; d++) { /* w*h*n*(2*k+1) */
        sum += *px(src, clamp(x + d, 0, src->w - 1), y);
        cnt++;
      }
      for (int c = 0; c < 3; c++) { /* 3*w*h*n */
        px(dst, x, y)[c] = sum / cnt;
      }
    }
  }
}
static void gray(image *im) {
  unsigned char *p = im->data, *end = p + 3 * im->w * im->h;
  for (; p < end; p += 3) { /* w*h */
    p[0] = p[1] = p[2] = (p[0] + p[1] + p[2]) / 3;
  }
}
static void histogram(const image *im, int hist[256]) {
  memset(hist, 0, 256 * sizeof(int));
  for (int i = 0; i < im->w * im->h; i++) { /* w*h */
    hist[im->data[3 * i]]++;
  }
}
static void edges(image *in, image *out) {
  for (int y = 1; y < in->h - 1; y++) { /* h-2 */
    for (int x = 1; x < in->w - 1; x++) { /* (h-2)*(w-2) */
      *px(out, x, y) = abs(*px(in, x + 1, y) - *px(in, x - 1, y));
    }
  }
}
int main(int argc, char **argv) {
  int w = 64, h = 48, k = 1, n = 1, opt;
  while ((opt = getopt(argc, argv, "w:h:k:n:")) != -1) { /* options */
    switch (opt) {
      case 'w': w = atoi(optarg); break;
      case 'h': h = atoi(optarg); break;
      case 'k': k = atoi(optarg); break;
      case 'n': n = atoi(optarg); break;
      default: fprintf(stderr, "usage: %s [-w W] [-h H] [-k K] [-n N]\n", argv[0]); exit(1);
    }
  }
  image *a = image_new(w, h), *b = image_new(w, h);
  for (int i = 0; i < 3 * w * h; i++) { /* 3*w*h */
    a->data[i] = i * 31 % 256;
  }
  for (int p = 0; p < n; p++) { /* n */
    blur(a, b, k);
    image *t = a;
    a = b;
    b = t;
  }
  gray(a);
  int hist[256], used = 0;
  histogram(a, hist);
  for (int i = 0; i < 256; i++) { /* 256 */
    used += hist[i] > 0;
  }
  edges(a, b);
  printf("%d\n", used);
  image_free(a);
  image_free(b);
  return 0;
}
