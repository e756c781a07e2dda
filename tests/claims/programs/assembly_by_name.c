/* args: 5 3 | 0 0 | 2 4 | 9 2 : assembly that names functions and variables */
#include <stdio.h>
#include <stdlib.h>
static int t;
int counter = 1;
int other __asm__("renamed") = 2;
extern int renamed_too __asm__("counter");
void touched(void);
void touched(void) {
    for (int i = 0; i < 3; i++) {
        t++;
    }
    counter++;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    counter = n;
    renamed_too = m;
    for (int i = 0; i < counter; i++) {
        t++;
    }
    for (int i = 0; i < counter; i++) {
        t++;
    }
    other = n;
    __asm__ volatile("movl $4, counter(%%rip)" : : : "memory");
    for (int i = 0; i < counter; i++) {
        t++;
    }
    __asm__ volatile("call touched" : : : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
    for (int i = 0; i < counter; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
