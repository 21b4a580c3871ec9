/* SPDX-License-Identifier: Apache-2.0 */
#define GREETING "Good day"
const char *name(void);
