// SPDX-License-Identifier: Apache-2.0
// Nothing: what stands in the header of this name is about the C library of the machine that compiles.
