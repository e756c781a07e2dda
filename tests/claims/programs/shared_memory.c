/* args: 5 3 | 0 0 | 2 4 | 9 2 | 20 7 : memory that a child writes, and memory of its own */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static int *bound;
static long work(const int *p) {
    long s = 0;
    for (int i = 0; i < *p; i++) {
        s++;
    }
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    int *own = mmap(0, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *shared = mmap(0, 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bound = shared + 1;
    *own = n;
    *shared = 2;
    *bound = 3;
    if (system("exit 0") != 0) return 1;
    pid_t pid = fork();
    if (pid == 0) {
        *own = 50;
        *shared = m;
        *bound = n;
        _Exit(0);
    }
    waitpid(pid, NULL, 0);
    for (int i = 0; i < *own; i++) {
        s++;
    }
    for (int i = 0; i < *shared; i++) {
        s++;
    }
    s += work(bound) + work(shared);
    printf("%ld\n", s);
    return 0;
}
