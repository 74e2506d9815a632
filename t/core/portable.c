
/*
 * Copyright (C) The detemplate authors
 *
 * The request path once more, in one piece: see engine.h.  Nobody else sees
 * its functions, as the Makefile makes all but the engine local.
 */


#define DT_PORTABLE

#include "core/scan/scan.c"
#include "core/scan/raw.c"
#include "core/scan/element.c"
#include "core/scan/tree.c"
#include "core/scan/nest.c"
#include "core/scan/cut.c"
#include "core/scan/line.c"
#include "core/scan/unit.c"
#include "core/scan/shape.c"
#include "core/scan/hand.c"
#include "core/scan/rewrite.c"
#include "core/html/token.c"
#include "core/scan/address.c"
#include "core/base/tags.c"

#include "engine.h"


const engine_t engine_portable = ENGINE;
