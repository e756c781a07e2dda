/* args: 5 | 0 | 9 : static objects with constructors, local statics, inline variables, destructors */
#include <cstdio>
#include <cstdlib>
struct Table {
    int squares[10];
    int used;
    Table() : used(10) {
        for (int i = 0; i < 10; i++) {
            squares[i] = i * i;
        }
    }
    ~Table() {
        for (int i = 0; i < used; i++) {
            squares[i] = 0;
        }
    }
};
static Table table;
static const int &limit(int n) {
    static int kept = n + 1;
    return kept;
}
struct Counter {
    static inline int made = 0;
    Counter() { made++; }
};
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    long s = 0;
    for (int i = 0; i < limit(n); i++) {
        s += table.squares[i % 10];
    }
    Counter counters[6];
    for (int i = 0; i < n; i++) {
        Counter c;
        s += Counter::made;
    }
    std::printf("%ld %zu\n", s, sizeof counters);
}
