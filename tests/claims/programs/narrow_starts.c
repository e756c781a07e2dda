/* args: 5 | 100 | 205 | 255 | 300 : narrow variables that start beyond the largest signed number */
#include <stdlib.h>
static volatile int t;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (unsigned char i = 200; i < 250; i++) {
        t++;
    }
    for (unsigned char i = 200; i > 0; i--) {
        t++;
    }
    for (unsigned char i = 200; i != 0; i++) {
        t++;
    }
    for (unsigned char i = 200; i < n; i++) {
        t++;
        if (n > 255) break;
    }
    for (unsigned char i = 200; i; i /= 2) {
        t++;
    }
    for (unsigned short i = 40000; i < 50000; i += 1000) {
        t++;
    }
    for (unsigned char i = 200; i >= 10; i -= 3) {
        t++;
    }
    for (unsigned char i = 100; i >= 100; i++) {
        t++;
    }
    for (signed char i = 100; i > 0; i++) {
        t++;
    }
    unsigned char c = n;
    for (unsigned char i = 200; i < c; i++) {
        t++;
    }
    for (unsigned char i = c; i > 3; i--) {
        t++;
    }
}
