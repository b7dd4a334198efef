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

// The same names in Swift: a source that computes with Scalar works for both types.
#ifdef __clang__
#define OTOLITH_NAMED(name) __attribute__((swift_name(name)))
#else
#define OTOLITH_NAMED(name)
#endif

float sinf(float) OTOLITH_NAMED("sin(_:)");
float cosf(float) OTOLITH_NAMED("cos(_:)");
float tanf(float) OTOLITH_NAMED("tan(_:)");
float asinf(float) OTOLITH_NAMED("asin(_:)");
float acosf(float) OTOLITH_NAMED("acos(_:)");
float atan2f(float, float) OTOLITH_NAMED("atan2(_:_:)");
float sqrtf(float) OTOLITH_NAMED("sqrt(_:)");
float expf(float) OTOLITH_NAMED("exp(_:)");
float logf(float) OTOLITH_NAMED("log(_:)");
float powf(float, float) OTOLITH_NAMED("pow(_:_:)");
float fabsf(float) OTOLITH_NAMED("fabs(_:)");
float floorf(float) OTOLITH_NAMED("floor(_:)");

#undef OTOLITH_NAMED

#endif
