/* args: 3 | 8 | 12 | 0 : addresses and functions that the library of C++ is handed, and uses later */
#include <cstdio>
#include <cstdlib>
#include <ios>
#include <locale>
#include <new>
#include <sstream>
static int events, tries, s;
static void event(std::ios_base::event, std::ios_base &, int) {
    events += 3;
}
static void no_memory() {
    tries += 4;
    std::set_new_handler(nullptr);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int k = 0;
    void *p = nullptr;
    std::stringstream text;
    text << (void *)&k;
    text >> p;
    k = n;
    *(int *)p = 7;
    for (int i = 0; i < k; i++) {
        s++;
    }
    text.register_callback(event, 0);
    events = n;
    text.imbue(std::locale());
    for (int i = 0; i < events; i++) {
        s++;
    }
    std::set_new_handler(no_memory);
    volatile size_t much = (size_t)1 << 62;
    tries = n;
    char *none = new (std::nothrow) char[much];
    for (int i = 0; i < tries; i++) {
        s++;
    }
    printf("%d %d\n", s, none == nullptr);
    return 0;
}
