# SPDX-License-Identifier: Apache-2.0
"""What ActivitySmoother makes of the model's evidence, a second at a time, in Python."""

import numpy as np

TRUST = 0.3  # five windows in a row share their samples: each counts for less than one
FIRST_TRUST = 0.5  # and the first with none before it
DWELL = 60.0  # s, the mean of an activity
RARE = 0.1  # of what is between two vehicles, or a vehicle and a run: one walks in between
FIRST = 0.6
SWITCH = 0.7
RIDE = 30  # s, of automotive before it is remembered
REST = 300  # s, for which it is
LEAST, DOUBT = 0.4, 6  # nothing fits where nothing is as likely for so many seconds

# What speaks against a ride: in the mean over about 20 s, ...
MEMORY = 20.0
SETTLING = 10.0  # s, after which what hands do counts half: with hands a device is taken up before anything else
UNEVEN, UNEVEN_WEIGHT = 3.8, 8.0  # the log of the strongest to the weakest part's power: hands pause, a road does not
TURNED, TURNED_WEIGHT = 0.15, 40.0  # 1 - cos of gravity's turn: 32 degrees, which hands do and cars do not
NARROW, NARROW_WEIGHT = -3.0, 10.0  # the log of what is across gravity to what is along it: a sensor of one axis
MOST = 15.0

RARELY = ({2, 3}, {2, 4}, {3, 4})


def transitions():
    m = np.zeros((6, 6))
    for i in range(6):
        for j in range(6):
            m[i, j] = 0 if i == j else RARE if {i, j} in RARELY else 1
        m[i] /= m[i].sum() * DWELL
        m[i, i] = 1 - 1 / DWELL
    return m


_T = transitions().T


class RideGate:
    def __init__(self):
        self.sums, self.weight = np.zeros(3), 0.0

    def add(self, x, logits):
        """What is left of the evidence."""
        keep = np.exp(-1 / MEMORY)
        self.sums = keep * self.sums + (x[25] - x[26], np.exp(x[29]), x[17] - x[16])
        self.weight = keep * self.weight + 1
        uneven, turned, across = self.sums / self.weight
        against = UNEVEN_WEIGHT * max(0, uneven - UNEVEN) + TURNED_WEIGHT * max(0, turned - TURNED)
        against = min(MOST, against) * self.weight / (self.weight + SETTLING)
        result = logits + against * np.array([0, 0, 0, 0, -1, 1])
        if across < NARROW:
            # It may well walk: no more of other than there was of a ride.
            result[5] = max(result[5], min(result[5] + NARROW_WEIGHT, logits[4]))
            result[4] -= NARROW_WEIGHT
        return result


class Smoother:
    def __init__(self):
        self.belief = np.full(6, 1 / 6)
        self.gate = RideGate()
        self.current = None
        self.sure = False  # whether the current one was found since the last gap
        self.trust = FIRST_TRUST
        self.ridden = self.rested = self.doubts = 0

    def add(self, logits, x, fresh=False):
        """(current, whether a car is remembered, belief in it); current is None where it is none of the five"""
        if fresh:
            self.belief = np.full(6, 1 / 6)
            self.gate = RideGate()
            self.sure = False
            self.trust = FIRST_TRUST
            self.doubts = 0
        logits = self.gate.add(x, logits)
        e = np.exp(self.trust * (logits - logits.max()))
        self.trust = TRUST
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
        elif self.current in (1, 2, 3):
            self.ridden = 0
        car = self.current == 0 and self.ridden >= RIDE
        belief = 0.0 if self.current is None else self.belief[self.current]
        return None if self.current == 5 else self.current, car, belief
