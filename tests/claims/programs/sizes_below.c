/* args: 5 | 9223372036854775807 | 9223372036854775808 | 18446744073709551615 : sizes that nothing reads as signed */
#include <stdlib.h>
static volatile int steps;
static void passed(size_t n) {
    for (size_t i = 0; i < n / 1000000000000000000; i++) {
        steps++;
    }
}
int main(int argc, char **argv) {
    size_t n = strtoull(argv[1], 0, 10);
    for (size_t i = n; i > 0; i /= 2) {
        steps++;
    }
    for (size_t i = 0; i < 5 && i < n + 3; i++) {
        steps++;
    }
    passed(n);
}
