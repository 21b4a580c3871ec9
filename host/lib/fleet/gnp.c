/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of gnp.proto: the build makes their code. */
#include <gnp.pb-c.c>
