/* args: 4 | 8 | 0 : jumps out of nested calls, retried by a helper; children in helpers */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static jmp_buf point;
static long s;
static void inner(int i, int at) {
    for (int k = 0; k < 2; k++) {
        s++;
    }
    if (i == at) longjmp(point, i + 1);
}
static int guarded(int n) {
    volatile int done = 0;
    int code = setjmp(point);
    if (code != 0 && code < 3) {
        for (int k = 0; k < 3; k++) {
            s++;
        }
    }
    for (int i = done; i < n; i++) {
        done = i + 1;
        inner(i, n / 2);
    }
    return done;
}
static pid_t spawned(void) { return fork(); }
static void work(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < n; i++) {
        s++;
    }
    int done = guarded(n);
    for (int i = 0; i < done; i++) {
        s++;
    }
    pid_t pid = spawned();
    work(n);
    if (pid == 0) {
        work(n);
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    for (int i = 0; i < 3; i++) {
        s++;
    }
    printf("%ld\n", s);
    return status;
}
