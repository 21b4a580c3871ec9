/* SPDX-License-Identifier: Apache-2.0 */
static void ignore(char letter) {
    (void)letter;
}
