/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/guide/firmware.md that loads a module: from its memory, or from the host. */
#include <stdio.h>

#include <gnomon_module.h>

GNOMON_EXPORT_ARITHMETIC;

int main(void) {
    struct gnomon_module *module = gnomon_module_open("blur.so");
    if (!module) {
        puts(gnomon_module_error());
        return 1;
    }
    int (*blur)(int) = (int (*)(int))gnomon_module_symbol(module, "blur");
    printf("blurred: %d\n", blur(3));
    gnomon_module_unload(module);
    return 0;
}
