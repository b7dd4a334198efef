#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden values of the BME280's humidity.

Written from the floating-point formulas of the data sheet (BST-BME280-DS002, section 4.2 and appendix 8.1) and from
nothing of this repository's: run it and compare its output with humidity_vectors.csv. Exact fractions stand for the
real numbers of the formulas, so that no rounding but the last is in the result.

    ./humidity.py > humidity_vectors.csv
    ./humidity.py check    # the two public worked examples
"""
import sys
from fractions import Fraction as F


def fine(t, adc):
    """Appendix 8.1: the temperature in 5120ths of a degree, as the integer with which the formulas go on."""
    a = (F(adc, 16384) - F(t[0], 1024)) * t[1]
    b = (F(adc, 131072) - F(t[0], 8192)) ** 2 * t[2]
    return int(a + b), float((a + b) / 5120)


def humidity(h, t_fine, adc):
    v = F(t_fine - 76800)
    v = (adc - (F(h[3]) * 64 + F(h[4], 16384) * v)) * (
        F(h[1], 65536) * (1 + F(h[5], 1 << 26) * v * (1 + F(h[2], 1 << 26) * v)))
    v = v * (1 - F(h[0]) * v / 524288)
    return float(min(max(v, F(0)), F(100)))


# H1 to H6. The first two parts are real; the others have values of every sign.
PARTS = [
    (75, 338, 0, 370, 60, 30),
    (75, 394, 0, 242, 56, 30),
    (75, 361, 0, 339, 0, 30),
    (0, 368, 0, 303, 50, 30),
    (75, 370, 200, 313, 50, 30),
    (60, 340, 3, 290, -31, -5),
    (90, 380, 127, 400, 47, -128),
    (75, 338, 255, 370, 60, 127),
    (75, 350, 0, -2, 0, 30),
]
# -40, -19, 0, 15, 25.08, 60 and 85 degrees Celsius, in 5120ths.
FINES = [-204800, -97122, 0, 76800, 128422, 307200, 435200]
CODES = [0, 12000, 18000, 21001, 24002, 27003, 30004, 33005, 36006, 39007, 44008, 65535]


def check():
    # elixir-sensors/bmp280, test/bmp280/sensor/bme280_sensor_test.exs: calibration values and codes
    # of two real BME280s, and the results of that library, which is an independent implementation.
    for t, h, adc_t, adc_h, degrees, percent in [
        ((28189, 26285, 50), PARTS[0], 536368, 35181, 26.7460, 59.2),
        ((28297, 26729, 50), PARTS[1], 516344, 26270, 20.2649, 64.4),
    ]:
        t_fine, celsius = fine(t, adc_t)
        rh = humidity(h, t_fine, adc_h)
        print(t_fine, celsius, rh)
        assert abs(celsius - degrees) < 1e-4 and abs(rh - percent) < 0.1


if sys.argv[1:] == ["check"]:
    check()
else:
    print("h1,h2,h3,h4,h5,h6,t_fine,adc_h,percent")
    for part in PARTS:
        for t_fine in FINES:
            for code in CODES:
                print(*part, t_fine, code, "%.9f" % humidity(part, t_fine, code), sep=",")
