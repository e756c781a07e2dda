/* Bounds in global variables, set in main and loaded by every test. L1: n. L2: n m. */
#include <stdio.h>
#include <stdlib.h>

static int rows;
int columns;
static double sum;

static void work(void)
{
    for (int i = 0; i < rows; i++) { /* L1 */
        for (int j = 0; j < columns; j++) { /* L2 */
            sum += i + j;
        }
    }
}

int main(int argc, char **argv)
{
    rows = argc > 1 ? atoi(argv[1]) : 6;
    columns = argc > 2 ? atoi(argv[2]) : 4;
    work();
    printf("%g\n", sum);
    return 0;
}
