// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <memory>
struct Node {
  int value;
  std::unique_ptr<Node> next;
};
static int length(const Node *node) { return node == nullptr ? 0 : 1 + length(node->next.get()); }
static int down(int n) {
  if (n == 0) {
    return 0;
  }
  int s = 0;
  for (int i = 0; i < 3; ++i) { /* law: 3*n */
    s += i;
  }
  return s + down(n - 1);
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::unique_ptr<Node> head;
  for (int i = 0; i < n; ++i) { /* law: n */
    auto node = std::make_unique<Node>();
    node->value = i;
    node->next = std::move(head);
    head = std::move(node);
  }
  for (const Node *p = head.get(); p != nullptr; p = p->next.get()) { /* law: parametric */
    s += p->value;
  }
  return (s + length(head.get()) + down(n)) & 1;
}
