// args: 0 | 1 | 30 : what containers do to what they are handed
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>
struct Moved {
  int n;
  explicit Moved(int k) : n(k) {}
  Moved(Moved &&o) noexcept : n(o.n) { o.n = 0; }
  Moved(const Moved &o) = default;
};
struct Item {
  int v, seen = 0;
  Item *up = nullptr;
};
struct Less {
  bool operator()(Item *a, Item *b) const {
    a->seen++;
    b->seen++;
    return a->v < b->v;
  }
};
struct Told {
  Item *item;
  int k;
  explicit Told(Item *i) : item(i), k(0) {}
  Told(const Told &o) : item(o.item), k(o.k) { item->seen++; }
};
struct Source {
  mutable int copies = 0;
  Source() {}
  Source(const Source &o) { o.copies++; }
};
static bool asked(Item *a) {
  a->seen += 3;
  return a->seen > 100;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  long s = 0;
  Moved x(n);
  std::vector<Moved> v;
  v.push_back(std::move(x));
  for (int i = 0; i < x.n; i++) {
    s++;
  }
  Moved y(n);
  std::list<Moved> l;
  l.push_back(std::move(y));
  for (int i = 0; i < y.n; i++) {
    s++;
  }
  Item items[2];
  items[0].v = n;
  items[1].v = 4;
  std::set<Item *, Less> all;
  for (int i = 0; i < n; i++) {
    all.insert(&items[i % 2]);
  }
  for (int i = 0; i < items[1].seen; i++) {
    s++;
  }
  Item one;
  one.v = 2;
  Told told(&one);
  std::vector<Told> some;
  for (int i = 0; i < n; i++) {
    some.push_back(told);
  }
  for (int i = 0; i < one.seen; i++) {
    s++;
  }
  Source source;
  std::list<Source> sources;
  for (int i = 0; i < n; i++) {
    sources.push_back(source);
  }
  for (int i = 0; i < source.copies; i++) {
    s++;
  }
  Source again;
  std::vector<Source> copies(n, again);
  for (int i = 0; i < again.copies; i++) {
    s++;
  }
  Item two;
  std::list<Item *> pointers(n, &two);
  pointers.remove_if(asked);
  for (int i = 0; i < two.seen % 50; i++) {
    s++;
  }
  Item three;
  std::list<Item *> others(n, &three);
  others.remove_if([](Item *a) { return a->seen++ > 3; });
  for (int i = 0; i < three.seen % 50; i++) {
    s++;
  }
  std::map<Item *, int, Less> keyed;
  Item four, five;
  four.v = n;
  five.v = 4;
  keyed[&four] = 1;
  keyed[&five] = 1;
  for (int i = 0; i < four.seen % 50; i++) {
    s++;
  }
  printf("%ld\n", s);
  return 0;
}
