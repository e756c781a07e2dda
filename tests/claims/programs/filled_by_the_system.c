/* args: 3 5 | 8 2 | 12 1 | 0 9 : ioctl, fcntl, sysinfo, getitimer, readv write what they are handed */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0, fd[2];
    if (pipe(fd)) {
        return 1;
    }
    if (write(fd[1], "hello", 5) != 5) {
        return 1;
    }
    int k = n;
    ioctl(fd[0], FIONREAD, &k);
    for (int i = 0; i < k; i++) {
        s++;
    }
    struct sysinfo info = {0};
    info.procs = n;
    sysinfo(&info);
    for (int i = 0; i < info.procs; i++) {
        s += 1;
    }
    struct itimerval v = {{0, 0}, {m, 0}};
    getitimer(ITIMER_REAL, &v);
    for (int i = 0; i < v.it_value.tv_sec; i++) {
        s++;
    }
    struct flock l = {0};
    l.l_type = F_WRLCK;
    l.l_whence = SEEK_SET;
    l.l_start = 0;
    l.l_len = 7;
    l.l_pid = m;
    fcntl(0, F_GETLK, &l);
    for (int i = 0; i < l.l_type + 3; i++) {
        s++;
    }
    char head[2];
    int q = 1 << 20;
    struct iovec io[2] = {{head, 2}, {&q, 3}};
    if (readv(fd[0], io, 2) != 5) {
        return 1;
    }
    for (int i = 0; i < (q & 15); i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
