/* SPDX-License-Identifier: Apache-2.0 */
/* A program that ends at once. */
int main(void) {
    return 0;
}
