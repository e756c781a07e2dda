/* sum 6: n=6 calls_sum=1 calls_pairs=0 calls_powers=0 | pairs 5: n=5 calls_sum=0 calls_pairs=1 calls_powers=0 | powers 4: n=4 calls_sum=0 calls_pairs=0 calls_powers=1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long (*action)(int);

static long sum(int n) {
    long s = 0;
    for (int i = 2; i <= n; i++) { /* calls_sum*(n - 1) */
        s += i;
    }
    return s;
}

static long pairs(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) { /* calls_pairs*n */
        for (int j = 0; j < i; j++) { /* calls_pairs*n*(n - 1)/2 */
            s += i * j;
        }
    }
    return s;
}

static long powers(int n) {
    long s = 0;
    for (unsigned v = 0; v < (1u << n); v++) { /* calls_powers*2**n */
        s += v;
    }
    return s;
}

static const struct command {
    const char *name;
    action run;
    int most;
} commands[] = {{"sum", sum, 1 << 20}, {"pairs", pairs, 1000}, {"powers", powers, 20}};

static action find(const char *name, int n) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) { /* data */
        if (strcmp(commands[i].name, name) == 0 && n <= commands[i].most)
            return commands[i].run;
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int n = atoi(argv[2]);
    action a = find(argv[1], n);
    if (!a) {
        fprintf(stderr, "no such command\n");
        return 2;
    }
    printf("%ld\n", a(n));
    return 0;
}
