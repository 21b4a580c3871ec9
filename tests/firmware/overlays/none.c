/* SPDX-License-Identifier: Apache-2.0 */
/* A program without overlays: loading any overlay fails. */
#include <gnomon.h>

int main(void) {
    return gnomon_overlay_load(0) == -1 ? 0 : 1;
}
