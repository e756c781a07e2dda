/* args: 3 | 6 x y | 5 | 9 : pushes that an exception leaves out, and vectors made in each iteration */
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Task {
    int n;
    explicit Task(int k) : n(k) {}
    virtual ~Task() = default;
    virtual double run() const = 0;
};
struct Single : Task {
    using Task::Task;
    double run() const override {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
        }
        return s;
    }
};
struct Double : Task {
    using Task::Task;
    double run() const override {
        double s = 0;
        for (int i = 0; i < 2 * n; i++) {
            s += i;
        }
        return s;
    }
};
struct List {
    std::vector<Task *> all;
    void add(Task *t) {
        if (t->n > 4) {
            throw 1;
        }
        all.push_back(t);
    }
    void either(Task *t, Task *other) {
        try {
            add(t);
        } catch (int) {
            all.push_back(other);
        }
    }
    double run() const {
        double s = 0;
        for (const Task *t : all) {
            s += t->run();
        }
        return s;
    }
};
int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 3;
    Single a(n), b(2);
    Double c(n), d(3);
    double s = 0;
    List one;
    try {
        one.add(&a);
    } catch (int) {
        s += 1;
    }
    try {
        one.add(&d);
    } catch (int) {
        s += 1;
    }
    s += one.run();
    List two;
    two.either(&c, &b);
    s += two.run();
    for (int r = 0; r < 3; r++) {
        std::vector<Task *> each;
        each.push_back(&a);
        if (r == 1) {
            continue;
        }
        each.push_back(r ? static_cast<Task *>(&c) : &b);
        for (const Task *t : each) {
            s += t->run();
        }
    }
    std::vector<Task *> outer;
    for (int r = 0; r < 2; r++) {
        outer.push_back(&a);
        for (const Task *t : outer) {
            s += t->run();
        }
    }
    std::printf("%g\n", s);
}
