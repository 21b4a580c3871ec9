/* SPDX-License-Identifier: Apache-2.0 */
/* No device has controls: ioctl fails with ENOTTY, as it does on a file. */
#ifndef GNOMON_SYS_IOCTL_H
#define GNOMON_SYS_IOCTL_H

#ifdef __cplusplus
extern "C" {
#endif

#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541B

struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};

int ioctl(int fd, unsigned long request, ...);

#ifdef __cplusplus
}
#endif

#endif
