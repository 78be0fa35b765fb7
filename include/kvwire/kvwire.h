/* The whole public interface of the core. */
#ifndef KVWIRE_KVWIRE_H
#define KVWIRE_KVWIRE_H

#include "alloc.h"
#include "batch.h"
#include "buf.h"
#include "conn.h"
#include "error.h"
#include "export.h"
#include "lane.h"
#include "resp.h"
#include "shape.h"
#include "version.h"

#endif
