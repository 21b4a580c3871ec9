/* SPDX-License-Identifier: Apache-2.0 */
/* The device's table of watched functions: choosing the functions of a program that go into it, and filling it. */
#ifndef GNOMON_LIB_WATCH_TABLE_H
#define GNOMON_LIB_WATCH_TABLE_H

#include "lib/device/board.h"
#include "lib/elf/symbols.h"
#include "lib/model/watch_list.h"

/* Chooses the functions of a program that have no hooks. With patterns, only functions whose name matches a pattern (a
 * shell glob). Their numbers follow those of functions with hooks, while the device has places and numbers. The caller
 * frees the result. */
enum gnomon_status gnomon_watch_choose(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                       const char *const *patterns, size_t pattern_count,
                                       const struct gnomon_board *board, struct gnomon_error *error);

/* The same with the functions that begin at these addresses. */
enum gnomon_status gnomon_watch_choose_at(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                          const uint32_t *addresses, size_t count, const struct gnomon_board *board,
                                          struct gnomon_error *error);

/* Chooses the lock functions of a program that its symbols name (with `known`), and those that are given as
 * ROLE=FUNCTION (gnomon record --lock-function). The caller frees the result, whatever the status is. */
enum gnomon_status gnomon_watch_choose_locks(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                             bool known, const char *const *given, size_t given_count,
                                             const struct gnomon_board *board, struct gnomon_error *error);

/* Fills the table of a hart. It must be in reset. */
enum gnomon_status gnomon_watch_load(const struct gnomon_watch *watch, struct gnomon_device *device, unsigned hart,
                                     struct gnomon_error *error);

/* What the device could not follow. Both 0: it followed everything. */
struct gnomon_watch_loss {
    uint32_t missed;  /* calls without a frame: their cycles count for their callers */
    uint32_t overrun; /* events, calls and returns that came too fast */
};
/* Of the harts up to `harts`, added. */
enum gnomon_status gnomon_watch_loss(struct gnomon_device *device, unsigned harts, struct gnomon_watch_loss *loss,
                                     struct gnomon_error *error);

#endif
