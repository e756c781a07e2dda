/* What the programs here share: the hooks of traffic_truth.c, and memory that begins at a page. */
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
void polybench_timer_start(void);
void polybench_timer_stop(void);
void polybench_timer_print(void);
void *polybench_alloc_data(unsigned long long n, int size);
#ifdef __cplusplus
}
#endif
static unsigned long long seed = 88172645463325252ull;
static inline unsigned long long chance(unsigned long long below) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (seed >> 11) % below;
}
#define NEW(type, n) ((type *)polybench_alloc_data(n, sizeof(type)))
/* Calls kernel through a pointer that the compiler does not see through. */
#define MEASURED(...)                               \
  do {                                              \
    __typeof__(&kernel) volatile called = &kernel;  \
    polybench_timer_start();                        \
    called(__VA_ARGS__);                            \
    polybench_timer_stop();                         \
    polybench_timer_print();                        \
  } while (0)
