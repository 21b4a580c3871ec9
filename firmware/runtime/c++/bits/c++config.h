// SPDX-License-Identifier: Apache-2.0
// The configuration of this machine's own C++ library, and what is different on the target: no threads, no futexes, and
// no library to link: templates that it would have are made where they are used.
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/c++config.h>
#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_HAVE_POSIX_SEMAPHORE
#undef _GLIBCXX_HAVE_TIMESPEC_GET
