#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int nkul_simdjson_placeholder(void);
#ifdef __cplusplus
}
#endif
