/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in the source: what `gnomon tag` shall count, of functions, variables and statements. They change no byte of the
 * code: what they say stands beside it in the ELF file (docs/tag.md). Where gnomon cc does not compile they are
 * nothing.
 *
 *     GNOMON_TAGGED("start=0") void request(void);
 *     GNOMON_TAGGED("each") int table[64];
 *
 *     GNOMON_TAG("count")
 *     for (int i = 0; i < 64; i++)
 *         table[i] = 0;
 *
 * ACTIONS is a string, actions with commas between, as behind the colon of `gnomon tag -t`: "count", "each",
 * "toggle=1,tagged". */
#ifndef GNOMON_TAG_H
#define GNOMON_TAG_H

#if defined(__has_attribute)
#if __has_attribute(gnomon_tag)

/* Before a declaration: all instructions of this function, or the words of this variable with static storage. */
#define GNOMON_TAGGED(ACTIONS) __attribute__((gnomon_tag(ACTIONS)))

/* Before a statement: the instructions of all its lines, a loop's with its body. Needs -g. A block in braces counts as
 * its first statement. */
#define GNOMON_TAG(ACTIONS) GNOMON_TAG_PRAGMA(gnomon tag(ACTIONS))
#define GNOMON_TAG_PRAGMA(TEXT) _Pragma(#TEXT)

#endif
#endif

#ifndef GNOMON_TAG
#define GNOMON_TAGGED(ACTIONS)
#define GNOMON_TAG(ACTIONS)
#endif

#endif
