/* SPDX-License-Identifier: Apache-2.0 */
/* mk/test/ui.mk gives the functions names that would be elements and scripts, where a page takes them for HTML. */
static volatile int sum;

__attribute__((noinline)) void element(int count);
__attribute__((noinline)) void script(int count);

void element(int count) {
    for (int i = 0; i < count; i++)
        sum += i;
}

void script(int count) {
    element(count / 2);
    sum++;
}

int main(void) {
    script(10);
    element(5);
    return 0;
}
