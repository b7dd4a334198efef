// SPDX-License-Identifier: Apache-2.0
// Header only: the functions themselves come from the platform's libm.
#include "CMath.h"
