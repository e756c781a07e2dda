// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <list>
#include <cstdio>
class Jobs {
  std::list<int> jobs;

public:
  Jobs(int n) {
    for (int i = 0; i < n; ++i) { /* law: n */
      jobs.push_back(i);
    }
  }
  int run() {
    int s = 0;
    for (int j : jobs) { /* law: n */
      s += j;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Jobs j(n);
  std::printf("%d\n", j.run());
}
