// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>
static unsigned state = 5;
static volatile long fuel;
__attribute__((noinline)) static int pick() { state = state * 1103515245u + 12345u; return state >> 16 & 15; }
__attribute__((noinline)) static bool spent() { fuel = fuel + 1; return fuel > 4000; }
static int bits_cleared(int c) {
  std::vector<bool> seen(16);
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = true; c += 2; }
    if (w == 3) seen.assign(16, false);
  }
  return s;
}
static int bits_flipped(int c) {
  std::vector<bool> seen(16);
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = true; c += 2; }
    if (w == 3) seen.flip();
  }
  return s;
}
static int grown(int c) {
  std::vector<int> seen(1);
  int s = 0;
  while (c > 0) {
    s++;
    if (spent()) break;
    c--;
    if (!seen.back()) { seen.back() = 1; c += 2; }
    seen.push_back(0);
    if (!seen[seen.size() / 2]) { seen[seen.size() / 2] = 1; c += 1; }
  }
  return s;
}
static int rows_swapped(int c) {
  std::vector<std::vector<int>> seen(4, std::vector<int>(4)), fresh(4, std::vector<int>(4));
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w / 4][w % 4]) { seen[w / 4][w % 4] = 1; c += 1; }
    if (w == 7) { std::swap(seen[1], fresh[2]); fresh[2].assign(4, 0); }
  }
  return s;
}
static int through_a_reference(int c) {
  std::vector<int> seen(16);
  int &first = seen[0], s = 0;
  while (c > 0) {
    int w = pick() & 1;
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = 1; c += 1; }
    first = 0;
  }
  return s;
}
static int another_key(int c) {
  std::set<int> keys;
  int s = 0;
  while ((int)keys.size() < c && c < 12) {
    int w = pick(), v = pick() & 3;
    s++;
    if (spent()) break;
    if (!keys.count(w)) keys.insert(v);
  }
  return s;
}
static int key_changed(int c) {
  std::unordered_set<int> keys;
  int s = 0;
  while ((int)keys.size() < c && c < 12) {
    int w = pick();
    s++;
    if (spent()) break;
    if (!keys.count(w)) { w &= 3; keys.insert(w); }
  }
  return s;
}
static int erased(int c) {
  std::unordered_set<int> keys;
  std::vector<int> q = {1, 2};
  int s = 0;
  while (!q.empty()) {
    int w = pick();
    s++;
    if (spent()) break;
    q.pop_back();
    if (keys.insert(w).second) { q.push_back(w); q.push_back(c); }
    if (w == 9) keys.erase(w);
  }
  return s;
}
static int levels(int c) {
  std::vector<int> q = {c};
  std::vector<bool> seen(16);
  int s = 0;
  while (!q.empty()) {
    std::vector<int> next;
    for (int u : q) {
      s += u;
      int w = pick();
      if (!seen[w]) { seen[w] = true; next.push_back(w); next.push_back(w); }
    }
    q = std::move(next);
    next.push_back(1);
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = argc;
  s += bits_cleared(n) + bits_flipped(n) + grown(n) + rows_swapped(n);
  fuel = 0;
  s += through_a_reference(n) + another_key(n) + key_changed(n) + erased(n) + levels(n);
  return s == 0;
}
