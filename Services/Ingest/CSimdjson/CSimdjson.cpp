#include "CSimdjson.h"
#include <simdjson.h>
extern "C" int nkul_simdjson_placeholder(void) { return 0; }
