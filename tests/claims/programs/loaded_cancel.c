/* args: 5 3 | 0 2 | 12 7 | 300 2 : fields read from a file that cancel, sums and shifts of them */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long t;
struct cfg { uint8_t a; int8_t b; uint16_t c; uint32_t d; uint64_t e; size_t n; int i; _Bool f; };
static void use(struct cfg *c) {
    for (int i = 0; i < c->a; i++) {
        t++;
    }
    for (int i = 0; i < c->a + c->b; i++) {
        t++;
    }
    for (unsigned i = 0; i < c->c - c->a && i < 100; i++) {
        t++;
    }
    for (uint32_t i = c->d; i < c->d + 4; i++) {
        t++;
    }
    for (uint64_t i = c->e; i < c->e + 4; i++) {
        t++;
    }
    for (size_t i = c->n - 1; i < c->n + 4; i++) {
        t++;
    }
    for (int i = c->i; i < c->i + 4; i++) {
        t++;
    }
    for (uint8_t i = c->a; i < (uint8_t)(c->a + 4); i++) {
        t++;
    }
    for (uint8_t i = c->a; i != (uint8_t)(c->a + 4); i++) {
        t++;
    }
    for (uint16_t i = c->c; (uint16_t)(i - c->c) < 4; i++) {
        t++;
    }
    for (uint32_t i = c->d; i - c->d < 4; i++) {
        t++;
    }
    for (uint64_t i = 0; i < (c->e << 3) - (c->e << 2) - (c->e * 4) + 3; i++) {
        t++;
    }
    for (int i = 0; i < (c->d & 7) - (c->d % 8) + 2; i++) {
        t++;
    }
    for (int i = 0; i < (int)(c->d / 2 + (c->d + 1) / 2 - c->d) + 1; i++) {
        t++;
    }
    for (int i = 0; i < c->f + 1; i++) {
        t++;
    }
    for (int i = 0; i < (int)((int64_t)c->d - (int32_t)c->d >> 30) + 1; i++) {
        t++;
    }
    for (uint32_t i = 0; i < (c->d >> 1) * 2 + (c->d & 1) - c->d + 2; i++) {
        t++;
    }
    for (uint32_t i = 0; i < (c->d * 2) / 2 - c->d + 2 && i < 40; i++) {
        t++;
    }
    for (uint32_t i = 0; i < (c->d + 1) % 2 + c->d % 2; i++) {
        t++;
    }
    for (uint32_t i = 0; i < ~c->d + c->d + 2; i++) {
        t++;
    }
    for (uint32_t i = 0; i + 1 + ~c->d + c->d < 4; i++) {
        t++;
    }
}
int main(int argc, char **argv) {
    struct cfg c;
    int n = atoi(argv[1]);
    FILE *f = fopen("/proc/self/exe", "rb");
    fread(&c, sizeof c, 1, f);
    fclose(f);
    use(&c);
    memset(&c, 0xff, sizeof c - 1);
    c.f = 1;
    if (n > 3) c.d = getenv("HOME") ? 4294967294u : 3;
    c.e -= strlen(argv[1]);
    c.n = ~(size_t)0 - strlen(argv[2]);
    use(&c);
    c.d = strlen(argv[1]) * 2147483647u;
    c.a = 254 + strlen(argv[1]);
    use(&c);
    printf("%ld\n", t);
}
