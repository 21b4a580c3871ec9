/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the recordings of several runs: "run.gnt" stands for "run.1.gnt", "run.2.gnt" and so on. */
#ifndef GNOMON_LIB_SERIES_H
#define GNOMON_LIB_SERIES_H

/* The name of one of them; the caller frees it. NULL: out of memory. */
char *gnomon_series_name(const char *path, unsigned long number);

#endif
