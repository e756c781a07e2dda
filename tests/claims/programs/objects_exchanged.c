/* args: 6 5 2 | 9 8 3 | 7 3 1 : objects of which either may be written through a pointer to one of them */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int w, h; unsigned char *data; } image;
static image *registry[8];
static int registered;
static image *image_new(int w, int h) {
  image *im = malloc(sizeof *im);
  im->w = w; im->h = h;
  im->data = calloc((size_t)w * h, 3);
  return im;
}
static image *image_kept(int w, int h) {
  image *im = image_new(w, h);
  registry[registered++] = im;
  return im;
}
static image *pick(image *a, image *b, int c) { return c % 2 ? a : b; }
static void shrink(image *im) { im->h--; }
static void narrow(image *im, int *w) { *w = *w - 1; im->data[0] = 1; }
static void blank(void *p) { char *c = p; c[4] = 1; c[5] = 0; c[6] = 0; c[7] = 0; }
static image *same(image *p) { return p; }
int main(int argc, char **argv) {
  int w = atoi(argv[1]), h = atoi(argv[2]), n = atoi(argv[3]);
  image *a = image_new(w, h), *b = image_new(w, h);
  int s = 0;
  for (int p = 0; p < n; p++) {
    a->h--;
    image *t = a; a = b; b = t;
  }
  for (int i = 0; i < a->h; i++) {
    s++;
  }
  image *c = image_new(w, h), *d = image_new(w, h);
  pick(c, d, n)->h = 3;
  for (int i = 0; i < c->h; i++) {
    s++;
  }
  image *e = image_new(w, h), *f = image_new(w, h);
  shrink(n > 2 ? e : f);
  for (int i = 0; i < e->h; i++) {
    s++;
  }
  image *g = image_kept(w, h), *k = image_kept(w, h);
  registry[0]->h = 2;
  for (int i = 0; i < g->h; i++) {
    s++;
  }
  image *m = image_new(w, h), *o = image_new(w, h);
  image *q = n == 1 ? m : o;
  narrow(q, &q->w);
  for (int i = 0; i < m->w; i++) {
    s++;
  }
  for (int i = 0; i < o->w; i++) {
    s++;
  }
  image *r = image_new(w, h), *u = image_new(w, h);
  blank(n == 1 ? r : u);
  for (int i = 0; i < r->h; i++) {
    s++;
  }
  image *v = image_new(w, h), *x = image_new(w, h);
  for (int i = 0; i < n; i++) {
    same(i % 2 ? v : x)->h += 1;
  }
  for (int i = 0; i < v->h; i++) {
    s++;
  }
  printf("%d %d\n", s, k->h);
  return 0;
}
