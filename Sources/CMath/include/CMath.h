// SPDX-License-Identifier: Apache-2.0
// The few functions of the C mathematics library that the portable core needs, declared here so that
// Linux and bare-metal builds see the same prototypes without Foundation or Glibc.
#ifndef OTOLITH_CMATH_H
#define OTOLITH_CMATH_H

double sin(double);
double cos(double);
double tan(double);
double asin(double);
double acos(double);
double atan2(double, double);
double sqrt(double);
double exp(double);
double log(double);
double pow(double, double);
double fabs(double);
double floor(double);

#endif
