/* args: 5 3 | 0 0 | 2 4 | 9 2 | 20 7 : forks: children with return, exec, vfork-free, pool of children, status as bound */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static long work(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    return s;
}
static int spawn(int n) {
    pid_t p = fork();
    if (p == 0) {
        work(n);
        _exit(n & 127);
    }
    int status = 0;
    waitpid(p, &status, 0);
    return WEXITSTATUS(status);
}
static int clone_self(void) { return fork(); }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    int back = spawn(n);
    for (int i = 0; i < back; i++) {
        s++;
    }
    for (int k = 0; k < m; k++) {
        if (fork() == 0) {
            for (int i = 0; i < k; i++) {
                s++;
            }
            exit(0);
        }
    }
    while (wait(NULL) > 0) {
        s++;
    }
    int *shared = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *shared = 2;
    if (clone_self() == 0) {
        *shared = m;
        _Exit(0);
    }
    wait(NULL);
    for (int i = 0; i < *shared; i++) {
        s++;
    }
    int fds[2];
    if (pipe(fds)) return 1;
    pid_t p = fork();
    for (int i = 0; i < 3; i++) {
        s++;
    }
    if (p == 0) {
        char c = m;
        if (write(fds[1], &c, 1) != 1) _exit(1);
        execl("/bin/true", "true", (char *)0);
        for (int i = 0; i < n; i++) {
            s++;
        }
        _exit(0);
    }
    char c = 0;
    if (read(fds[0], &c, 1) == 1) {
        for (int i = 0; i < c; i++) {
            s++;
        }
    }
    waitpid(p, NULL, 0);
    for (int i = 0; i < n; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
