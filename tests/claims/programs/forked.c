/* args: 4 | 8 | 0 : a child that runs a loop and leaves by _exit */
#include <stdlib.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    for (int k = 0; k < 2; k++) {
        pid_t pid = fork();
        if (pid == 0) {
            for (int i = 0; i < n; i++) {
                sum++;
            }
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    fork();
    for (int i = 0; i < n; i++) {
        sum++;
    }
    return 0;
}
