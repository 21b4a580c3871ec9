/* SPDX-License-Identifier: Apache-2.0 */
extern int nobody_has_this(int x);

int run(int x) {
    return nobody_has_this(x) + 1;
}
