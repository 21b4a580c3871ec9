/* SPDX-License-Identifier: Apache-2.0 */
/* What C++ needs when it does without exceptions and without its library. The names are the ABI's. */
#include <stdlib.h>

void *_Znwj(size_t size);
void *_Znaj(size_t size);
void _ZdlPv(void *block);
void _ZdaPv(void *block);
void _ZdlPvj(void *block, size_t size);
void _ZdaPvj(void *block, size_t size);
_Noreturn void __cxa_pure_virtual(void);

void *_Znwj(size_t size) {
    void *block = malloc(size ? size : 1);
    if (!block)
        abort();
    return block;
}
void *_Znaj(size_t size) {
    return _Znwj(size);
}
void _ZdlPv(void *block) {
    free(block);
}
void _ZdaPv(void *block) {
    free(block);
}
void _ZdlPvj(void *block, size_t size) {
    (void)size;
    free(block);
}
void _ZdaPvj(void *block, size_t size) {
    (void)size;
    free(block);
}
void __cxa_pure_virtual(void) {
    abort();
}
