// SPDX-License-Identifier: Apache-2.0
// There are no exceptions: where the headers would throw one, the program prints a message and calls abort().
#include <bits/functexcept.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace std {
namespace {
[[noreturn]] void end(const char *exception, const char *why) {
    fprintf(stderr, "std::%s%s%s\n", exception, *why ? ": " : "", why);
    abort();
}

[[noreturn]] void end_formatted(const char *exception, const char *format, va_list list) {
    char why[160];
    vsnprintf(why, sizeof why, format, list); // the format uses %zu and %s as printf does
    end(exception, why);
}
} // namespace

void __throw_bad_exception() {
    end("bad_exception", "");
}
void __throw_bad_alloc() {
    end("bad_alloc", "");
}
void __throw_bad_array_new_length() {
    end("bad_array_new_length", "");
}
void __throw_bad_cast() {
    end("bad_cast", "");
}
void __throw_bad_typeid() {
    end("bad_typeid", "");
}
void __throw_bad_function_call();
void __throw_bad_function_call() {
    end("bad_function_call", "");
}
void __throw_logic_error(const char *why) {
    end("logic_error", why);
}
void __throw_domain_error(const char *why) {
    end("domain_error", why);
}
void __throw_invalid_argument(const char *why) {
    end("invalid_argument", why);
}
void __throw_length_error(const char *why) {
    end("length_error", why);
}
void __throw_out_of_range(const char *why) {
    end("out_of_range", why);
}
void __throw_out_of_range_fmt(const char *format, ...) {
    va_list list;
    va_start(list, format);
    end_formatted("out_of_range", format, list);
}
void __throw_runtime_error(const char *why) {
    end("runtime_error", why);
}
void __throw_range_error(const char *why) {
    end("range_error", why);
}
void __throw_overflow_error(const char *why) {
    end("overflow_error", why);
}
void __throw_underflow_error(const char *why) {
    end("underflow_error", why);
}
} // namespace std
