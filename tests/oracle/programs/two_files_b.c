/* The second file of the program. */
long row(int length);

long row(int length)
{
    long s = 0;
    for (int i = 0; i < length; i++) { /* L2 */
        s += i;
    }
    return s;
}
