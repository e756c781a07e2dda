#include <cstdio>

void print(int n) {
    for (int i = 0; i < n; i++) std::putchar('.');
}
