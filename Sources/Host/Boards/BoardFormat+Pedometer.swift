// SPDX-License-Identifier: Apache-2.0

extension BoardFormat {
  static let pedometer = BoardSection(
    name: "pedometer", title: "a pedometer",
    summary: "The person who carries the board, and the counting and storage of steps.",
    keys: [
      BoardKey(
        "height-m", .number(0.5...2.5), noun: "a height in metres",
        "The person's height, from which distances are estimated.", fallback: "1.7",
        example: "1.82",
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
        "The time for which steps, distance, floors and activities are kept.", fallback: "7",
        example: "30",
        alsoCalled: ["keep-days", "days"]),
    ])
}
