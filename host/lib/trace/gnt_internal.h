/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by reader and writer of trace files. */
#ifndef GNOMON_LIB_GNT_INTERNAL_H
#define GNOMON_LIB_GNT_INTERNAL_H

#define GNT_MAGIC_BYTES 8
#define GNT_MAGIC "GNT\x1A\x0D\x0A\x02\x00"
#define GNT_TRAILER_MAGIC "GNTEND\x0D\x0A"
#define GNT_RECORDS_MAGIC "GNTREC\x0D\x0A"
#define GNT_INSTRUCTIONS_MAGIC "GNTCPI\x0D\x0A"
#define GNT_LOCKS_MAGIC "GNTLOC\x0D\x0A"
#define GNT_HEAP_MAGIC "GNTHEP\x0D\x0A"
#define GNT_SAMPLES_MAGIC "GNTSMP\x0D\x0A"
#define GNT_MAX_RECORDS (1u << 24)                               /* bytes of the records' JSON */
#define GNT_MAX_INSTRUCTIONS (1u << 26)                          /* bytes of the instructions' JSON */
#define GNT_MAX_LOCKS (1u << 24)                                 /* bytes of the JSON of threads and locks */
#define GNT_MAX_HEAP (1u << 26)                                  /* bytes of the JSON of the heap's memory */
#define GNT_MAX_SAMPLES (1u << 26)                               /* bytes of the samples' JSON */
#define GNT_MAX_TRAILER 4096                                     /* bytes of the trailer's JSON */
#define GNT_MAX_TAIL (GNT_MAGIC_BYTES + 4 + GNT_MAX_TRAILER + 8) /* of the whole trailer */

#endif
