/* args: 3 1 | 8 2 | 1 5 | 17 3 | 0 0 : virtual calls in constructors, member pointers, slicing, static dispatch
   flags: -std=c++17 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <typeinfo>
#include <vector>
static int t;
struct base {
    int n = 2;
    base() { init(); for (int i = 0; i < size(); i++) { t++; } }
    virtual void init() { n = 3; }
    virtual int size() const { return n; }
    virtual ~base() {
        for (int i = 0; i < size(); i++) {
            t++;
        }
    }
};
struct der : base {
    int m;
    der(int k) : m(k) { init(); }
    void init() override { m += 2; }
    int size() const override { return m; }
    ~der() override { m = 1; n = 4; }
};
struct other : der { using der::der; int size() const override { return der::size() + 1; } };
static int by_value(base b) { return b.size(); }
static int by_ref(const base &b) { return b.size(); }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    {
        der d(n);
        for (int i = 0; i < by_value(d); i++) {
            t++;
        }
        for (int i = 0; i < by_ref(d); i++) {
            t++;
        }
        base b = d;
        for (int i = 0; i < b.size(); i++) {
            t++;
        }
    }
    std::unique_ptr<base> p = n > 4 ? std::make_unique<base>() : std::make_unique<other>(m);
    for (int i = 0; i < p->size(); i++) {
        t++;
    }
    int (base::*f)() const = &base::size;
    for (int i = 0; i < ((*p).*f)(); i++) {
        t++;
    }
    int der::*mp = m > 2 ? &der::m : static_cast<int der::*>(&der::n);
    der e(n);
    e.*mp = 6;
    for (int i = 0; i < e.m + e.n; i++) {
        t++;
    }
    if (typeid(*p) == typeid(other)) {
        for (int i = 0; i < 2; i++) {
            t++;
        }
    }
    if (auto *q = dynamic_cast<der *>(p.get())) {
        q->m = 9;
    }
    for (int i = 0; i < p->size(); i++) {
        t++;
    }
    std::vector<std::unique_ptr<base>> all;
    all.push_back(std::make_unique<der>(1));
    all.push_back(std::make_unique<other>(n));
    all[0].swap(all[1]);
    for (auto &a : all) {
        for (int i = 0; i < a->size(); i++) {
            t++;
        }
    }
    printf("%d\n", t);
    return 0;
}
