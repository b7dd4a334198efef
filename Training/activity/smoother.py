# SPDX-License-Identifier: Apache-2.0
"""What ActivitySmoother makes of the model's evidence, a second at a time, in Python."""

import numpy as np

TRUST = 0.3  # five windows in a row share their samples: each counts for less than one
DWELL = 60.0  # s, the mean of an activity
RARE = 0.1  # of what is between two vehicles, or a vehicle and a run: one walks in between
FIRST = 0.6
SWITCH = 0.7
RIDE = 20  # s, of automotive before it is remembered
REST = 300  # s, for which it is
LEAST, DOUBT = 0.4, 6  # nothing fits where nothing is as likely for so many seconds

RARELY = ({2, 3}, {2, 4}, {3, 4})


def transitions():
    m = np.zeros((5, 5))
    for i in range(5):
        for j in range(5):
            m[i, j] = 0 if i == j else RARE if {i, j} in RARELY else 1
        m[i] /= m[i].sum() * DWELL
        m[i, i] = 1 - 1 / DWELL
    return m


_T = transitions().T


class Smoother:
    def __init__(self):
        self.belief = np.full(5, 0.2)
        self.current = None
        self.sure = False  # whether the current one was found since the last gap
        self.ridden = self.rested = self.doubts = 0

    def add(self, logits, fresh=False):
        """(current, whether a car is remembered, belief in it)"""
        if fresh:
            self.belief = np.full(5, 0.2)
            self.sure = False
            self.doubts = 0
        e = np.exp(TRUST * (logits - logits.max()))
        self.belief = (_T @ self.belief) * e
        self.belief /= self.belief.sum()
        best = int(self.belief.argmax())
        self.doubts = self.doubts + 1 if self.belief[best] < LEAST else 0
        if self.doubts >= DOUBT:
            self.current, self.sure = None, True
        elif best != self.current or not self.sure:
            if self.belief[best] >= (SWITCH if self.sure else FIRST):
                self.current, self.sure = best, True
        if self.current == 4:
            self.ridden, self.rested = self.ridden + 1, 0
        elif self.current == 0:
            self.rested += 1
            if self.rested > REST:
                self.ridden = 0
        elif self.current is not None:
            self.ridden = 0
        car = self.current == 0 and self.ridden >= RIDE
        return self.current, car, 0.0 if self.current is None else self.belief[self.current]
