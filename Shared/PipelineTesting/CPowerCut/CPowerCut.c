#include "CPowerCut.h"
int nkul_power_cut_placeholder(void) { return 0; }
