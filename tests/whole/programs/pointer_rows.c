/* 6 5: w=6 h=5 | 20 3: w=20 h=3 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint8_t *pixels;
    size_t width, height, stride;
} image;

static int init(image *im, size_t w, size_t h) {
    im->width = w;
    im->height = h;
    im->stride = (w + 15) & ~(size_t)15;
    im->pixels = calloc(im->stride, h);
    return im->pixels ? 0 : -1;
}

static void histogram(const image *im, unsigned bins[256]) {
    for (size_t y = 0; y < im->height; y++) { /* h */
        const uint8_t *p = im->pixels + y * im->stride, *end = p + im->width;
        while (p < end) { /* w*h */
            bins[*p++]++;
        }
    }
}

static double trace(const double *a, int n) {
    double s = 0;
    for (const double *p = a; p < a + (size_t)n * n; p += n + 1) { /* w */
        s += *p;
    }
    return s;
}

static long backwards(const int *a, int n) {
    long s = 0;
    for (const int *p = a + n; p-- > a;) { /* w */
        s = 2 * s + *p;
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int w = atoi(argv[1]), h = atoi(argv[2]);
    if (w < 1 || h < 1)
        return 2;
    image im;
    if (init(&im, w, h) != 0)
        return 1;
    unsigned bins[256] = {0};
    histogram(&im, bins);
    double *a = calloc((size_t)w * w, sizeof *a);
    int *b = calloc(w, sizeof *b);
    if (!a || !b)
        return 1;
    printf("%u %g %ld\n", bins[0], trace(a, w), backwards(b, w));
    return 0;
}
