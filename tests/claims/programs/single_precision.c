/* args: 4 3 | 20 2 | -3 5 | 300 7 : counters in single precision, which stop growing */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    for (float x = 16777210.0f; x < 16777210.0f + n && s < 9999; x += 1) {
        s++;
    }
    long t = 0;
    for (float x = 0; x < n && t < 9999; x += 0.5f) {
        t++;
    }
    long w = 9007199254740980L + n;
    for (double x = 9007199254740980.0; x < w && t < 19999; x += 1) {
        t++;
    }
    printf("%ld\n", s + t);
    return 0;
}
