// SPDX-License-Identifier: Apache-2.0
// The configuration of the host's own C++ library, and the differences of the target: no threads, no futexes, and no
// library to link. Templates that such a library would contain are instantiated where they are used.
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/c++config.h>
#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_HAVE_POSIX_SEMAPHORE
#undef _GLIBCXX_HAVE_TIMESPEC_GET
