/* SPDX-License-Identifier: Apache-2.0 */
/* What C++ without exceptions needs from a runtime. The ABI gives the names. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *_Znwj(size_t size);
void *_Znaj(size_t size);
void _ZdlPv(void *block);
void _ZdaPv(void *block);
void _ZdlPvj(void *block, size_t size);
void _ZdaPvj(void *block, size_t size);
void *_ZnwjRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnajRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnwjSt11align_val_t(size_t size, size_t alignment);
void *_ZnajSt11align_val_t(size_t size, size_t alignment);
void _ZdlPvSt11align_val_t(void *block, size_t alignment);
void _ZdaPvSt11align_val_t(void *block, size_t alignment);
void _ZdlPvjSt11align_val_t(void *block, size_t size, size_t alignment);
void _ZdaPvjSt11align_val_t(void *block, size_t size, size_t alignment);
_Noreturn void __cxa_pure_virtual(void);
_Noreturn void __cxa_deleted_virtual(void);
int __cxa_guard_acquire(uint8_t *guard);
void __cxa_guard_release(uint8_t *guard);

/* std::nothrow: an object without content; only its type matters. */
const char _ZSt7nothrow = 0;

static _Noreturn void end(const char *why) {
    fprintf(stderr, "%s\n", why);
    abort();
}

void *_Znwj(size_t size) {
    void *block = malloc(size ? size : 1);
    if (!block)
        end("operator new: no memory");
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

void *_ZnwjRKSt9nothrow_t(size_t size, const void *nothrow) {
    (void)nothrow;
    return malloc(size ? size : 1);
}
void *_ZnajRKSt9nothrow_t(size_t size, const void *nothrow) {
    return _ZnwjRKSt9nothrow_t(size, nothrow);
}

void *_ZnwjSt11align_val_t(size_t size, size_t alignment) {
    void *block = memalign(alignment, size ? size : 1);
    if (!block)
        end("operator new: no memory");
    return block;
}
void *_ZnajSt11align_val_t(size_t size, size_t alignment) {
    return _ZnwjSt11align_val_t(size, alignment);
}
void _ZdlPvSt11align_val_t(void *block, size_t alignment) {
    (void)alignment;
    free(block);
}
void _ZdaPvSt11align_val_t(void *block, size_t alignment) {
    (void)alignment;
    free(block);
}
void _ZdlPvjSt11align_val_t(void *block, size_t size, size_t alignment) {
    (void)size;
    (void)alignment;
    free(block);
}
void _ZdaPvjSt11align_val_t(void *block, size_t size, size_t alignment) {
    (void)size;
    (void)alignment;
    free(block);
}

void __cxa_pure_virtual(void) {
    end("a pure virtual function was called");
}
void __cxa_deleted_virtual(void) {
    end("a deleted virtual function was called");
}

/* Guards of static variables in functions, with -fthreadsafe-statics. Returns 1 if the caller must construct the
 * object. */
int __cxa_guard_acquire(uint8_t *guard) {
    return !*guard;
}
void __cxa_guard_release(uint8_t *guard) {
    *guard = 1;
}
