// SPDX-License-Identifier: Apache-2.0
#ifndef GNOMON_CXX_CTYPE_BASE_H
#define GNOMON_CXX_CTYPE_BASE_H

#pragma GCC system_header

namespace std {
struct ctype_base {
    typedef const int *__to_type;
    typedef unsigned short mask;
    static const mask upper = 1 << 0, lower = 1 << 1, alpha = 1 << 2, digit = 1 << 3, xdigit = 1 << 4, space = 1 << 5,
                      print = 1 << 6, cntrl = 1 << 7, punct = 1 << 8, blank = 1 << 9, alnum = alpha | digit,
                      graph = alnum | punct;
};
} // namespace std

#endif
