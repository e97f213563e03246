#include "Internal.h"

#include <malloc.h>

void dd_share_heap(void) { (void)mallopt(M_ARENA_MAX, 1); }

void dd_trim_heap(void) { (void)malloc_trim(0); }
