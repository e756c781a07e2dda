// args: 1 2 | 4 0 | 10 7
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>
class Life {
  int width_, height_;
  std::vector<std::vector<char>> cells_;

  int neighbours(int x, int y) const {
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) { /* law: 3*n*n*m */
      for (int dx = -1; dx <= 1; ++dx) { /* law: 9*n*n*m */
        if (dx == 0 && dy == 0) continue;
        int xx = (x + dx + width_) % width_, yy = (y + dy + height_) % height_;
        count += cells_[yy][xx];
      }
    }
    return count;
  }

public:
  Life(int w, int h) : width_(w), height_(h), cells_(h, std::vector<char>(w, 0)) {
    for (int y = 0; y < h; ++y) { /* law: n */
      for (int x = 0; x < w; ++x) { /* law: n*n */
        cells_[y][x] = (x * 3 + y * 5) % 4 == 0;
      }
    }
  }
  void step() {
    auto next = cells_;
    for (int y = 0; y < height_; ++y) { /* law: n*m */
      for (int x = 0; x < width_; ++x) { /* law: n*n*m */
        int c = neighbours(x, y);
        next[y][x] = c == 3 || (c == 2 && cells_[y][x]);
      }
    }
    cells_ = std::move(next);
  }
  int alive() const {
    int a = 0;
    for (const auto &row : cells_) { /* law: n */
      for (char c : row) { /* law: n*n */
        a += c;
      }
    }
    return a;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), generations = std::atoi(argv[2]);
  Life life(n, n);
  for (int g = 0; g < generations; ++g) { /* law: m */
    life.step();
  }
  std::printf("%d\n", life.alive());
}
