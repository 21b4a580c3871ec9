// SPDX-License-Identifier: Apache-2.0
#include <bits/gthr-single.h>
