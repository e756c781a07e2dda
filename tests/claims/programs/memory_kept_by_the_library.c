/* args: 3 5 | 8 2 | 12 1 | 0 9 : memory that the library was handed before, or finds behind pointers, and writes later : flags: -D_GNU_SOURCE */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static int state[32], other[32];
static struct random_data data;
static char text[] = "a b c d";
static int s;
static void first(char *p) {
    strtok(p, " ");
}
static void cut(char **p) {
    strsep(p, " ");
}
static void describe(struct iovec *v, void *p) {
    v->iov_base = p;
    v->iov_len = 4;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    initstate(1, (char *)state, sizeof state);
    state[4] = n;
    for (int i = 0; i < 40; i++) {
        s += random() & 1;
    }
    for (unsigned i = 0; i < (unsigned)state[4] && i < 1000; i++) {
        s++;
    }
    initstate_r(1, (char *)other, sizeof other, &data);
    other[4] = n;
    for (int i = 0; i < 40; i++) {
        int drawn;
        random_r(&data, &drawn);
    }
    for (unsigned i = 0; i < (unsigned)other[4] && i < 1000; i++) {
        s++;
    }
    char mine[] = "xx yy zz";
    strtok(mine, " ");
    first(text);
    text[3] = ' ';
    strtok(0, " ");
    for (int i = 0; i < text[3]; i++) {
        s++;
    }
    first(text);
    text[3] = ' ';
    strtok(n < 100 ? 0 : mine, " ");
    for (int i = 0; i < text[3]; i++) {
        s++;
    }
    char words[] = "aa bb";
    char *at = words;
    cut(&at);
    for (int i = 0; i < words[2]; i++) {
        s++;
    }
    int fd[2], cells[2] = {4, 5}, read_there = n;
    if (pipe(fd) || write(fd[1], cells, 8) != 8) return 1;
    struct iovec v;
    describe(&v, &read_there);
    if (readv(fd[0], &v, 1) < 0) return 1;
    for (int i = 0; i < read_there; i++) {
        s++;
    }
    int by_number = m;
    syscall(SYS_read, fd[0], &by_number, 4L);
    for (int i = 0; i < by_number; i++) {
        s++;
    }
    int found = n;
    hcreate(10);
    ENTRY e = {(char *)"a", &found}, *again;
    hsearch(e, ENTER);
    e.data = 0;
    again = hsearch(e, FIND);
    *(int *)again->data = 7;
    for (int i = 0; i < found; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
