// args: 0 | 1 | 30 : what is moved into containers
#include <cstdio>
#include <cstdlib>
#include <map>
#include <list>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  long s = 0;
  std::vector<int> row(n);
  std::vector<std::vector<int>> rows;
  rows.push_back(std::move(row));
  for (int x : row) {
    s += x;
  }
  std::vector<int> other(n);
  rows.emplace_back(std::move(other));
  for (int x : other) {
    s += x;
  }
  std::vector<int> third(n);
  std::list<std::vector<int>> l;
  l.push_back(std::move(third));
  for (size_t i = 0; i < third.size(); i++) {
    s++;
  }
  std::vector<int> fourth(n);
  std::map<int, std::vector<int>> m;
  m[3] = std::move(fourth);
  for (size_t i = 0; i < fourth.size(); i++) {
    s++;
  }
  std::string word(n, 'x');
  std::vector<std::string> words;
  words.push_back(std::move(word));
  for (char c : word) {
    s += c;
  }
  std::string more(n, 'x');
  words.insert(words.begin(), std::move(more));
  for (char c : more) {
    s += c;
  }
  std::vector<int> kept(n);
  rows.push_back(kept);
  for (int x : kept) {
    s += x;
  }
  printf("%ld\n", s);
  return 0;
}
