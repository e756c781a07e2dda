/* 8 2 3: dim=8 layers=2 steps=3 | 5 4 2: dim=5 layers=4 steps=2 | 3 1 6: dim=3 layers=1 steps=6 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int dim, layers; } Config;
typedef struct { float *x, *xb, *key; } State;
typedef struct { Config config; State state; float *table, *weights; } Model;

static void allocate(State *s, const Config *p) {
    s->x = calloc(p->dim, sizeof(float));
    s->xb = calloc(p->dim, sizeof(float));
    s->key = calloc(p->layers * p->dim, sizeof(float));
    if (!s->x || !s->xb || !s->key) { fprintf(stderr, "malloc failed\n"); exit(EXIT_FAILURE); }
}
static void build(Model *m, char **argv) {
    m->config.dim = atoi(argv[1]);
    m->config.layers = atoi(argv[2]);
    allocate(&m->state, &m->config);
    m->table = calloc(m->config.dim, sizeof(float));
    m->weights = calloc(m->config.layers * m->config.dim * m->config.dim, sizeof(float));
}
static void product(float *out, const float *x, const float *w, int n, int d) {
    for (int i = 0; i < d; i++) { /* dim*layers*steps */
        float v = 0;
        for (int j = 0; j < n; j++) { v += w[i * n + j] * x[j]; } /* dim**2*layers*steps */
        out[i] = v;
    }
}
static float *forward(Model *m, int at) {
    Config *p = &m->config;
    State *s = &m->state;
    memcpy(s->x, m->table, p->dim * sizeof(float));
    for (int l = 0; l < p->layers; l++) { /* layers*steps */
        float *key = s->key + l * p->dim;
        product(s->xb, s->x, m->weights + l * p->dim * p->dim, p->dim, p->dim);
        memset(key, 0, p->dim * sizeof(float));
        for (int i = 0; i < p->dim; i++) { /* dim*layers*steps */
            s->x[i] += s->xb[i];
            key[i] = s->x[i] + at;
        }
    }
    return s->x;
}
static float run(Model *m, int steps) {
    float sum = 0;
    for (int t = 0; t < steps; t++) { /* steps */
        sum += forward(m, t)[0];
    }
    return sum;
}
int main(int argc, char **argv) {
    if (argc < 4) return 1;
    Model model;
    build(&model, argv);
    printf("%g\n", run(&model, atoi(argv[3])));
    return 0;
}
