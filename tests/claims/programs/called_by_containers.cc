// args: 0 | 1 | 30 : what containers call through pointers changes what loops run
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>
#include <vector>
static long compared, hashed, released, asked, copied;
static bool before(int a, int b) {
  for (int k = 0; k < a; k++) {
    compared++;
  }
  return a < b;
}
static size_t hash(int a) {
  hashed++;
  return (size_t)a;
}
static void release(int *p) {
  released++;
  delete p;
}
static bool is_odd(int a) {
  asked += 2;
  return a % 2 != 0;
}
struct Counted {
  int n = 1;
  Counted() {}
  Counted(const Counted &o) : n(o.n) { copied++; }
  void operator()(int) const {}
};
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  long s = 0;
  std::set<int, bool (*)(int, int)> all(before);
  for (int i = 0; i < n; i++) {
    all.insert((i * 5) % 7);
  }
  for (int i = 0; i < compared % 40; i++) {
    s++;
  }
  std::map<int, int, bool (*)(int, int)> some(before);
  compared = 0;
  for (int i = 0; i < n; i++) {
    some[i % 3] += i;
  }
  for (int i = 0; i < compared % 40; i++) {
    s++;
  }
  std::unordered_set<int, size_t (*)(int)> hashes(8, hash);
  for (int i = 0; i < n; i++) {
    hashes.insert(i);
  }
  for (int i = 0; i < hashed % 40; i++) {
    s++;
  }
  std::vector<std::unique_ptr<int, void (*)(int *)>> owned;
  for (int i = 0; i < n; i++) {
    owned.emplace_back(new int(i), release);
  }
  owned.clear();
  for (int i = 0; i < released; i++) {
    s++;
  }
  std::list<int> numbers(n, 3);
  numbers.remove_if(is_odd);
  for (int i = 0; i < asked % 40; i++) {
    s++;
  }
  std::vector<std::shared_ptr<int>> shared;
  released = 0;
  for (int i = 0; i < n; i++) {
    shared.push_back(std::shared_ptr<int>(new int(i), release));
  }
  shared.clear();
  for (int i = 0; i < released; i++) {
    s++;
  }
  std::function<void(int)> f{Counted()};
  std::vector<std::function<void(int)>> functions;
  copied = 0;
  for (int i = 0; i < n; i++) {
    functions.push_back(f);
  }
  for (int i = 0; i < copied % 40; i++) {
    s++;
  }
  printf("%ld\n", s);
  return 0;
}
