// SPDX-License-Identifier: Apache-2.0

extension BoardFormat {
  static let pedometer = BoardSection(
    name: "pedometer", title: "a pedometer",
    summary: "Who carries the board, and how their steps are counted and kept.",
    keys: [
      BoardKey(
        "height-m", .number(0.5...2.5), noun: "a height in metres",
        "How tall the person is: distances go with it.", fallback: "1.7", example: "1.82",
        alsoCalled: ["height"]),
      BoardKey(
        "distance-scale", .number(0.3...3), noun: "a factor",
        "Of a distance walked for calibration: the true metres over the counted ones.",
        fallback: "1", example: "1.06", alsoCalled: ["scale"]),
      BoardKey(
        "steps-by", .name, noun: "the name of a chip of this board",
        "A chip that counts steps by itself and has `step` among the kinds of its `detection`; read by `detections` it "
          + "lets the processor sleep, but there are no samples then to tell activities from.",
        fallback: "steps are found in the samples of acceleration", example: "imu",
        alsoCalled: ["chip", "source"]),
      BoardKey(
        "history-days", .integer(1...3650), noun: "a number of days",
        "How long steps, distance, floors and activities are kept.", fallback: "7", example: "30",
        alsoCalled: ["keep-days", "days"]),
    ])
}
