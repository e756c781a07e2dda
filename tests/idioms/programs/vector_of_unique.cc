// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <memory>
#include <vector>
struct Node {
  int id;
  explicit Node(int i) : id(i) {
  }
};
class Pool {
  std::vector<std::unique_ptr<Node>> nodes_;

public:
  Node *make(int i) {
    nodes_.push_back(std::make_unique<Node>(i));
    return nodes_.back().get();
  }
  size_t size() const {
    return nodes_.size();
  }
  const Node &get(size_t i) const {
    return *nodes_[i];
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Pool p;
  for (int i = 0; i < n; i++) { /* law: n */
    p.make(i);
  }
  long s = 0;
  for (size_t i = 0; i < p.size(); ++i) { /* law: n */
    s += p.get(i).id;
  }
  std::printf("%ld\n", s);
}
