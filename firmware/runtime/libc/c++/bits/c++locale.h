// SPDX-License-Identifier: Apache-2.0
// There is one locale, "C". The stream headers, which other headers include, need its type.
#ifndef GNOMON_CXX_LOCALE_H
#define GNOMON_CXX_LOCALE_H

#pragma GCC system_header
#include <clocale>

#define _GLIBCXX_NUM_CATEGORIES 0

namespace std {
typedef int *__c_locale;

inline int __convert_from_v(const __c_locale &, char *out, const int size, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    const int length = __builtin_vsnprintf(out, (__SIZE_TYPE__)size, format, list);
    __builtin_va_end(list);
    return length;
}
} // namespace std

#endif
