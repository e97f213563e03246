#include "Internal.h"

#include <malloc.h>

void dd_trim_heap(void) { (void)malloc_trim(0); }
