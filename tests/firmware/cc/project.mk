# SPDX-License-Identifier: Apache-2.0
# A plain makefile with nothing but implicit rules.
hello: hello.o name.o
hello.o name.o: greeting.h
