/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in the source: they tell `gnomon tag` which functions, variables and statements to count. They do not change the
 * code: the information is in a separate section of the ELF file (docs/guide/tag.md). With compilers other than gnomon
 * cc they expand to nothing.
 *
 *     GNOMON_TAGGED("start=0") void request(void);
 *     GNOMON_TAGGED("each") int table[64];
 *
 *     GNOMON_TAG("count")
 *     for (int i = 0; i < 64; i++)
 *         table[i] = 0;
 *
 *     GNOMON_THRESHOLD("0=1000,5000:interrupt")
 *
 * ACTIONS is a string of actions separated by commas, as after the colon of `gnomon tag -t`: "count", "each",
 * "toggle=1,tagged". */
#ifndef GNOMON_TAG_H
#define GNOMON_TAG_H

#if defined(__has_attribute)
#if __has_attribute(gnomon_tag)

/* Before a declaration: tags all instructions of the function, or all words of the variable, which must have static
 * storage. */
#define GNOMON_TAGGED(ACTIONS) __attribute__((gnomon_tag(ACTIONS)))

/* Before a statement: tags the instructions of all its lines; for a loop also those of its body. Needs -g. For a block
 * in braces only the first statement is tagged. */
#define GNOMON_TAG(ACTIONS) GNOMON_TAG_PRAGMA(gnomon tag(ACTIONS))

/* Outside functions: thresholds of a timer, as in `gnomon tag --threshold`. */
#define GNOMON_THRESHOLD(THRESHOLDS) GNOMON_TAG_PRAGMA(gnomon threshold(THRESHOLDS))

#define GNOMON_TAG_PRAGMA(TEXT) _Pragma(#TEXT)

#endif
#endif

#ifndef GNOMON_TAG
#define GNOMON_TAGGED(ACTIONS)
#define GNOMON_TAG(ACTIONS)
#define GNOMON_THRESHOLD(THRESHOLDS)
#endif

#endif
