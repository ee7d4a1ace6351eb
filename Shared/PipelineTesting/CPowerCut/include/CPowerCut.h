#pragma once
int nkul_power_cut_placeholder(void);
