/* args: | 3 | 6 1 | 5 2 x | 9 : objects behind pointers in arrays and vectors that are changed, moved and replaced */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>
struct Task {
    int n;
    explicit Task(int k) : n(k) {}
    virtual ~Task() { n = -1; }
    virtual double run() = 0;
};
struct Fixed : Task {
    using Task::Task;
    double run() override {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
        }
        return s;
    }
};
struct Growing : Task {
    using Task::Task;
    double run() override {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += 2 * i;
        }
        n += 2;
        return s;
    }
};
struct Other {
    int m = 4;
    virtual ~Other() = default;
    virtual double run() {
        double s = 0;
        for (int i = 0; i < m; i++) {
            s += 3 * i;
        }
        return s;
    }
};
struct Both : Other, Fixed {
    explicit Both(int k) : Fixed(k) {}
    double run() override {
        double s = 0;
        for (int i = 0; i < n + m; i++) {
            s += 5 * i;
        }
        return s;
    }
};
struct Feeding : Task {
    Task *next;
    Feeding(int k, Task *t) : Task(k), next(t) {}
    double run() override {
        for (int i = 0; i < n; i++) {
            next->n++;
        }
        return n;
    }
};
static double all(std::vector<Task *> &tasks) {
    double s = 0;
    for (Task *t : tasks) {
        s += t->run();
    }
    return s;
}
static void replace_first(Task **tasks, Task *t) { tasks[0] = t; }
int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 4;
    int m = argc > 2 ? std::atoi(argv[2]) : 2;
    Fixed a(n), b(m);
    Growing c(n);
    double s = 0;
    Task *plain[] = {&a, &b, &c};
    for (Task *t : plain) {
        s += t->run();
    }
    for (int r = 0; r < 3; r++) {
        for (Task *t : plain) {
            s += t->run();
        }
    }
    plain[argc % 3] = &b;
    for (Task *t : plain) {
        s += t->run();
    }
    Task *handed[2] = {&a, &b};
    replace_first(handed, &c);
    for (Task *t : handed) {
        s += t->run();
    }
    a.n = 2 * n;
    Feeding f(3, &b);
    Task *fed[] = {&f, &b, &f, &b};
    for (int i = 0; i < 4; i++) {
        s += fed[i]->run();
    }
    for (int i = 3; i >= 0; i -= 2) {
        s += fed[i]->run();
    }
    std::vector<Task *> v;
    v.push_back(&a);
    v.push_back(&b);
    v[0] = &c;
    for (Task *t : v) {
        s += t->run();
    }
    s += all(v);
    v.push_back(&a);
    for (Task *t : v) {
        if (argc > 3) {
            v[2] = &b;
        }
        s += t->run();
    }
    std::vector<std::unique_ptr<Task>> owned;
    owned.push_back(std::make_unique<Fixed>(n));
    owned.push_back(std::make_unique<Growing>(m));
    owned.emplace_back(new Both(n));
    for (const auto &t : owned) {
        s += t->run();
    }
    owned[0] = std::make_unique<Growing>(7);
    std::swap(owned[1], owned[2]);
    for (const auto &t : owned) {
        s += t->run();
    }
    if (m > 1) {
        owned.pop_back();
    }
    for (const auto &t : owned) {
        s += t->run();
    }
    for (int r = 0; r < m; r++) {
        std::vector<std::unique_ptr<Task>> each;
        each.push_back(std::make_unique<Fixed>(r));
        each.push_back(std::make_unique<Growing>(n));
        if (r % 2) {
            each.push_back(std::make_unique<Fixed>(1));
        }
        for (const auto &t : each) {
            s += t->run();
        }
    }
    std::vector<Task *> sorted{&a, &b, &c};
    std::sort(sorted.begin(), sorted.end(), [](Task *l, Task *r) { return l->n < r->n; });
    for (Task *t : sorted) {
        s += t->run();
        if (t->n > 12) {
            break;
        }
    }
    std::vector<Task *> moved = std::move(sorted);
    moved.push_back(&f);
    for (Task *t : moved) {
        s += t->run();
    }
    a.~Fixed();
    new (&a) Fixed(m + 1);
    Task *made[] = {&a, &c};
    for (Task *t : made) {
        s += t->run();
    }
    std::printf("%g\n", s);
}
