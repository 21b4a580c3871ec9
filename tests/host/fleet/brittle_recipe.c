/* SPDX-License-Identifier: Apache-2.0 */
/* What brittle.toml needs. */
static int add_one(int number) {
    return number + 1;
}

static void check(size_t size) {
    if (size > 1000000)
        exhaust_unable("take", "so much");
}
