/* SPDX-License-Identifier: Apache-2.0 */
int alone(void) {
    return 1;
}
