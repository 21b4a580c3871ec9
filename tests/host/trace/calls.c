/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose call graph test_exact.py knows. The numbers are those of the table below. */
#define SLOT(number) "0xFFFFFFFF - " #number
#define FUNCTION(number, name)                                                                                         \
    asm(".pushsection .gnomon.map,\"\",@progbits\n .4byte " SLOT(number) "," #name "\n .popsection")
#define KEEP __attribute__((noinline, noipa, used))

extern volatile int sink;
volatile int sink;

KEEP void leaf(void) {
    sink++;
}
FUNCTION(0, leaf);
KEEP void calls_leaf(void) {
    leaf();
    sink = 2;
}
FUNCTION(1, calls_leaf);
KEEP void jumps(void) { /* a sibling call */
    sink = 3;
    calls_leaf();
}
FUNCTION(2, jumps);
KEEP void pointed_at(void) {
    sink = 4;
}
FUNCTION(3, pointed_at);
void (*volatile pointer)(void) = pointed_at;
KEEP void calls_pointer(void) {
    pointer();
    sink = 5;
}
FUNCTION(4, calls_pointer);
KEEP void alone(void) {
    sink = 6;
}
FUNCTION(5, alone);
KEEP __attribute__((section(".far"))) void far_away(void) {
    sink = 7;
}
FUNCTION(6, far_away);
KEEP void calls_far(void) {
    far_away();
    sink = 8;
}
FUNCTION(7, calls_far);
KEEP void from_trap(void) {
    sink = 9;
}
FUNCTION(8, from_trap);
KEEP void in_code(void) { /* its address is in the code only */
    sink = 10;
}
FUNCTION(9, in_code);
KEEP void points(void) {
    pointer = in_code;
}
FUNCTION(10, points);
KEEP void recursive(int n) {
    if (n > 0)
        recursive(n - 1);
    sink = n;
}
FUNCTION(11, recursive);

asm(".globl _start\n .type _start, @function\n_start: j _start\n .size _start, . - _start\n"
    ".globl __gnomon_vectors\n__gnomon_vectors: j __gnomon_trapped\n"
#ifdef TRAPS
    "j on_timer\n .type on_timer, @function\non_timer: call from_trap\n mret\n"
#endif
    ".type __gnomon_trapped, @function\n__gnomon_trapped: call calls_far\n j __gnomon_trapped\n"
    ".globl __gnomon_func_total\n .set __gnomon_func_total, 12\n");
