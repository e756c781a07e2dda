/* args: 3 5 | 8 2 | 12 1 | 0 9 : memory that is mapped twice, dropped, and written through its file
   flags: -D_GNU_SOURCE */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    int fd = memfd_create("x", 0);
    if (ftruncate(fd, 4096)) {
        return 1;
    }
    int *a = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int *b = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    a[0] = n;
    b[0] = m;
    for (int i = 0; i < a[0]; i++) {
        s++;
    }
    int four = 4;
    if (pwrite(fd, &four, 4, 0) != 4) {
        return 1;
    }
    for (int i = 0; i < b[0]; i++) {
        s++;
    }
    int *c = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    c[0] = n;
    madvise(c, 4096, MADV_DONTNEED);
    for (int i = 0; i < c[0]; i++) {
        s++;
    }
    c[1] = m;
    int *d = mremap(c, 4096, 8192, MREMAP_MAYMOVE);
    for (int i = 0; i < d[1]; i++) {
        s++;
    }
    d[2] = n;
    int *e = mmap(d, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    for (int i = 0; i < d[2]; i++) {
        s++;
    }
    e[3] = 5;
    for (int i = 0; i < d[3]; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
