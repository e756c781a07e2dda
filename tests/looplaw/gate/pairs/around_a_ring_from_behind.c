// expected: growth
// -- before
int find(const int *ring, unsigned n, unsigned m, int k){ int s=0; for(unsigned q=0;q<n;q++) s+=ring[q]; return s; }
// -- after
int find(const int *ring, unsigned n, unsigned m, int k){ int s=0; for(unsigned q=0;q<n;q++) for(unsigned j=q+1; j!=q; j++) s+=ring[j&255]==k; return s; }
