/* args: 3 | 7 : objects with virtual functions, and functions in objects, that constructors of
   variables hand to code elsewhere: tests and benchmarks that are registered */
#include <cstdlib>
#include <vector>

struct state {
    long left;
    bool goes_on() { return left-- > 0; }
};
struct test {
    virtual ~test() {}
    virtual void body(int n) = 0;
};
struct factory {
    virtual ~factory() {}
    virtual test *create() = 0;
};
struct benchmark {
    void (*run)(state &);
    explicit benchmark(void (*f)(state &)) : run(f) {}
};
int enroll(factory *f);
int enroll(benchmark *b);
int run_all(int n);
#ifdef TWIN
static std::vector<factory *> &factories() {
    static std::vector<factory *> all;
    return all;
}
static std::vector<benchmark *> &benchmarks() {
    static std::vector<benchmark *> all;
    return all;
}
int enroll(factory *f) { factories().push_back(f); return 0; }
int enroll(benchmark *b) { benchmarks().push_back(b); return 0; }
int run_all(int n) {
    for (factory *f : factories()) {
        test *t = f->create();
        t->body(n);
        delete t;
    }
    for (benchmark *b : benchmarks()) {
        state s = {n};
        b->run(s);
    }
    return 0;
}
#endif
static volatile int sink;

template <class T> struct factory_of : factory {
    test *create() override { return new T; }
};
struct sums : test {
    void body(int n) override {
        for (int i = 0; i < n; i++) {
            sink = sink + i;
        }
    }
};
static const int enrolled = enroll(new factory_of<sums>);

static void bm_sum(state &s) {
    while (s.goes_on()) {
        for (int i = 0; i < 10; i++) {
            sink = sink + i;
        }
    }
}
static const int registered = enroll(new benchmark(bm_sum));

int main(int argc, char **argv) {
    return run_all(std::atoi(argv[argc - 1])) + enrolled + registered;
}
