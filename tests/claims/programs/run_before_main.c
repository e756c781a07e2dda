/* args: 3 5 | 8 2 : functions that run before main since a section holds their address */
#include <stdio.h>
#include <stdlib.h>
static int size = 2, first = 3;
static void set(int argc, char **argv, char **environ) {
    size = 7;
    for (int i = 0; i < argc; i++) {
        size++;
    }
}
static void begin(void) { first++; }
__attribute__((section(".init_array"), used)) static void (*const on_start)(int, char **, char **) = set;
__attribute__((section(".preinit_array"), used)) static void (*before_all)(void) = begin;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    for (int i = 0; i < size; i++) {
        s++;
    }
    for (int i = 0; i < n + first; i++) {
        s++;
    }
    printf("%d\n", s);
}
