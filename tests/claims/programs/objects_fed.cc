/* args: 3 2 | 6 1 | 0 4 : objects in a vector of a class that change themselves and each other while it is walked */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct S {
    int n;
    explicit S(int k) : n(k) {}
    virtual ~S() = default;
    virtual double f() = 0;
};
struct A : S {
    using S::S;
    double f() override {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
        }
        return s;
    }
};
struct Growing : S {
    using S::S;
    double f() override {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += 2 * i;
        }
        n++;
        return s;
    }
};
struct Feeding : S {
    S *o;
    Feeding(int k, S *p) : S(k), o(p) {}
    double f() override {
        for (int i = 0; i < n; i++) {
            o->n++;
        }
        return n;
    }
};
class Plain {
    std::vector<std::unique_ptr<S>> v_;

public:
    void add(std::unique_ptr<S> s) { v_.push_back(std::move(s)); }
    double run() {
        double s = 0;
        for (auto &p : v_) {
            s += p->f();
        }
        return s;
    }
};
class Fed {
    std::vector<S *> v_;

public:
    void add(S *s) { v_.push_back(s); }
    double run() {
        double s = 0;
        for (S *p : v_) {
            s += p->f();
        }
        return s;
    }
};
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    Plain p;
    p.add(std::make_unique<A>(n));
    p.add(std::make_unique<Growing>(m));
    double s = 0;
    for (int r = 0; r < 3; r++) {
        s += p.run();
    }
    A a(n);
    Feeding b(2, &a);
    Fed q;
    q.add(&b);
    q.add(&a);
    for (int r = 0; r < m; r++) {
        s += q.run();
        a.n += r;
    }
    std::printf("%g\n", s);
}
