/* args: 3 | 6 x y | 5 | 9 : vectors of objects that methods fill, change and walk */
#include <cstdio>
#include <cstdlib>
#include <vector>
struct S { virtual ~S() {} virtual double f(int n) const = 0; };
struct A : S { double f(int n) const override { double s = 0; for (int i = 0; i < n; i++) s += i * 0.5; return s; } };
struct B : S { double f(int n) const override { double s = 0; for (int i = 0; i < 2 * n; i++) s += i * 0.25; return s; } };
#include <utility>
struct Reg { std::vector<S*> all; int n;
  void add(S* s) { all.push_back(s); }
  void addIf(S* s, bool b) { if (b) all.push_back(s); }
  void addTwice(S* s) { for (int i = 0; i < 2; i++) all.push_back(s); }
  void reset(S* s) { all.clear(); all.push_back(s); }
  void put(int i, S* s) { all[i] = s; }
  S*& at(int i) { return all[i]; }
  double run() const { double s = 0; for (auto* p : all) s += p->f(n); return s; }
  double runAndSwap() { double s = 0; for (auto* p : all) s += p->f(n); std::swap(all[0], all[1]); return s; } };
static void helper(Reg& r, S* s) { r.add(s); }
struct Bad : S { Reg* r; S* o; Bad(Reg* q, S* x) : r(q), o(x) {} double f(int n) const override { double s = 0; for (int i = 0; i < 4; i++) s += n; r->all[1] = o; return s; } };
int main(int argc, char** argv) { int n = atoi(argv[1]); A a; B b; double s = 0;
  Reg r0{{}, n}; Bad bad(&r0, &a); r0.add(&bad); r0.add(&b); s += r0.run(); s += r0.run();
  Reg r1{{}, n}; r1.add(&a); r1.add(&b); s += r1.run(); r1.add(&b); 
  Reg r2{{}, n + 1}; r2.addIf(&a, argc > 3); r2.add(&b); s += r2.run();
  Reg r3{{}, n + 2}; r3.addTwice(&a); r3.add(&b); s += r3.run();
  Reg r4{{}, n + 3}; r4.add(&a); r4.reset(&b); s += r4.run();
  Reg r5{{}, n + 4}; r5.add(&a); r5.add(&a); r5.put(n % 2, &b); s += r5.run();
  Reg r6{{}, n + 5}; r6.add(&a); r6.add(&b); for (int k = 0; k < 3; k++) s += r6.runAndSwap();
  Reg r7{{}, n + 6}; r7.add(&a); r7.add(&b); r7.at(0) = &b; s += r7.run();
  Reg r8{{}, n + 7}; helper(r8, &a); helper(r8, &b); s += r8.run();
  printf("%g\n", s); }
