/* args: 3 | 5 | 0 : the program's own operator new and delete count, of which the compiler drops calls */
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>
static int news, deletes, loops;
void *operator new(std::size_t size) {
    news++;
    for (int i = 0; i < 3; i++) {
        loops++;
    }
    void *p = malloc(size);
    if (!p) throw std::bad_alloc();
    return p;
}
void operator delete(void *p) noexcept {
    deletes++;
    free(p);
}
void operator delete(void *p, std::size_t) noexcept {
    deletes++;
    free(p);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0;
    for (int i = 0; i < n; i++) {
        int *p = new int(i);
        delete p;
    }
    int *a = new int(1), *b = new int(2);
    delete a;
    delete b;
    for (int i = 0; i < news; i++) {
        t++;
    }
    for (int i = 0; i < deletes; i++) {
        t++;
    }
    news = n;
    std::vector<int> *kept = new std::vector<int>(n);
    for (int i = 0; i < news; i++) {
        t++;
    }
    std::string text(100, 'x');
    text += argv[1];
    for (int i = 0; i < news; i++) {
        t++;
    }
    printf("%d %d %d\n", t, loops, (int)kept->size());
    return 0;
}
