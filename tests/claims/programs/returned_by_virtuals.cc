/* args: 3 5 | 8 2 | 12 1 | 1 9 : virtual functions that return structures in registers and write elsewhere */
#include <cstdio>
#include <cstdlib>
struct P {
    long a, b;
};
struct V {
    float x, y;
};
static int limit, other;
struct S {
    virtual ~S() {}
    virtual P next(int k) = 0;
    virtual V at(int k) { return {(float)k, 0}; }
};
struct A : S {
    P next(int k) override {
        limit += k;
        return {limit, k};
    }
    V at(int k) override {
        other = k;
        return {1, 2};
    }
};
struct B : S {
    int *to;
    explicit B(int *p) : to(p) {}
    P next(int k) override {
        *to = k;
        return {k, k};
    }
    V at(int k) override {
        other += k;
        return {2, 2};
    }
};
static long use(S *s, int k) { return s->next(k).a + (long)s->at(k).x; }
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    long s = 0;
    int mine = n;
    A a;
    B b(&mine);
    S *all[2] = {&a, &b};
    limit = n;
    other = m;
    S *one = n > 4 ? all[0] : all[1];
    s += one->next(2).a;
    for (int i = 0; i < limit; i++) {
        s++;
    }
    for (int i = 0; i < mine; i++) {
        s++;
    }
    s += (long)one->at(3).x;
    for (int i = 0; i < other; i++) {
        s++;
    }
    s += use(n > 2 ? all[1] : all[0], m);
    for (int i = 0; i < limit; i++) {
        s++;
    }
    for (int i = 0; i < mine; i++) {
        s++;
    }
    for (int i = 0; i < other; i++) {
        s++;
    }
    std::printf("%ld\n", s);
}
