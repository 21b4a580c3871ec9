// SPDX-License-Identifier: Apache-2.0
// Empty: the host's header of this name describes the host's C library.
