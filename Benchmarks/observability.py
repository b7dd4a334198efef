# SPDX-License-Identifier: Apache-2.0
"""Which of the fusion filter's 24 errors a motion shows: observability.py

The matrices F and H of docs/fusion.md, with the noise of the observations and the variances at the start that are the
defaults for a hand, and no noise of the process: for 60 s of a motion without acceleration the information of all
observations is summed back to the first epoch, J = sum (H F...F)' R^-1 (H F...F), the observability Gramian. Of each
group of errors the covariance (P0^-1 + J)^-1 is compared with that of the start: what is printed is the standard
deviation that is left, as a share, along the principal directions of the group. 1 is a direction that nothing shows.
"""

from environment import enter_environment

GROUPS = {
    "tilt": slice(0, 2), "heading": slice(2, 3), "velocity": slice(3, 6), "bias": slice(6, 9), "offset": slice(9, 12),
    "scale": slice(12, 15), "gyroscope's matrix": slice(15, 24),
}
DEGREE = 0.017453292519943295
GRAVITY = 9.80665
EPOCH = 0.1
SECONDS = 60
# Standard deviations at the start, by group: rad, m/s, rad/s, g; of the matrix scale and misalignment.
START = {
    "tilt": 5 * DEGREE, "heading": 104 * DEGREE, "velocity": 1, "bias": 3 * DEGREE, "offset": 0.0115, "scale": 0.0058,
}
MATRIX = (0.015, 0.0125)
# Standard deviation of an observation, and twice the time for which it is the same, s.
VELOCITY, VELOCITY_AT_REST, BIAS_AT_REST = (0.2, 1.6), (0.01, 1.6), (0.045 * DEGREE, 1.0)
# Of the heading by an unevenness of 1 microtesla in a horizontal field of 20.
HEADING = (1 / 20, 6.0)


def turned(vector):
    """The matrix of a rotation vector (Rodrigues)."""
    import numpy as np

    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def transition(attitude, rate):
    """F of an epoch, of a device that does not accelerate."""
    import numpy as np

    force = attitude.T @ [0, 0, 1]
    a = attitude * EPOCH
    by_matrix = np.zeros((3, 9))
    for axis in range(3):
        by_matrix[axis, 3 * axis:3 * axis + 3] = rate
    matrix = np.eye(24)
    matrix[0:3, 6:9] = -a
    matrix[0:3, 15:24] = a @ by_matrix
    lifted = GRAVITY * EPOCH
    # a x L with L = (0, 0, g dt), of the attitude after the epoch.
    lift = np.array([[0, lifted, 0], [-lifted, 0, 0], [0, 0, 0]])
    matrix[3:6] += lift @ matrix[0:3]
    matrix[3:6, 9:12] = -GRAVITY * a
    matrix[3:6, 12:15] = GRAVITY * a @ np.diag(force)
    return matrix


def observation(places, sigma, span):
    """The information of an epoch's observation of some errors."""
    import numpy as np

    rows = np.zeros((len(places), 24))
    for row, place in enumerate(places):
        rows[row, place] = 1
    return rows.T @ rows * EPOCH / (sigma * sigma * span)


def left(rate_at, rests, has_field):
    """The share of each group's standard deviation that is left, along its principal directions."""
    import numpy as np

    start = np.zeros(24)
    for name, place in GROUPS.items():
        if name in START:
            start[place] = START[name]
    start[15:24] = [MATRIX[0] if k % 4 == 0 else MATRIX[1] for k in range(9)]
    seen = observation([3, 4, 5], *(VELOCITY_AT_REST if rests else VELOCITY))
    if rests:
        seen += observation([6, 7, 8], *BIAS_AT_REST)
    if has_field:
        seen += observation([2], *HEADING)
    attitude = turned(np.array([0.5, -0.3, 0.2]))
    information, chain = np.diag(start**-2.0), np.eye(24)
    for epoch in range(int(SECONDS / EPOCH)):
        rate = np.array(rate_at(epoch * EPOCH, attitude))
        chain = transition(attitude, rate) @ chain
        information += chain.T @ seen @ chain
        attitude = attitude @ turned(rate * EPOCH)
    covariance = np.linalg.inv(information)
    relative = covariance / np.outer(start, start)
    return {name: np.sqrt(np.linalg.eigvalsh(relative[place, place])) for name, place in GROUPS.items()}


def main():
    import numpy as np

    vertical = lambda time, attitude: attitude.T @ [0, 0, 1.0]
    level = lambda time, attitude: attitude.T @ [np.cos(0.3), np.sin(0.3), 0]
    swayed = lambda time, attitude: attitude.T @ [2 * np.cos(2 * time), 0, 0]
    # Half a minute about each.
    both = lambda time, attitude: attitude.T @ ([0, 0, 1.0] if time < SECONDS / 2 else [1.0, 0, 0])
    tumbled = lambda time, attitude: [np.cos(0.3 * time), np.sin(0.2 * time), np.cos(0.5 * time + 1)]
    motions = {
        "rest": (lambda time, attitude: [0.0, 0, 0], True),
        "about the vertical, 1 rad/s": (vertical, False),
        "about a level axis, 1 rad/s": (level, False),
        "to and fro about a level axis": (swayed, False),
        "about the vertical, then a level axis": (both, False),
        "about all axes": (tumbled, False),
    }
    print("| motion | field | " + " | ".join(GROUPS) + " |")
    print("|" + "---|" * (len(GROUPS) + 2))
    for name, (rate_at, rests) in motions.items():
        for has_field in (False, True):
            shares = left(rate_at, rests, has_field)
            cells = [" ".join(f"{share:.2f}" for share in shares[group]) for group in GROUPS]
            print(f"| {name} | {'yes' if has_field else 'no'} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    enter_environment()
    main()
