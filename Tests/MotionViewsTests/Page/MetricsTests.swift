// SPDX-License-Identifier: Apache-2.0
import MotionViews
import Testing

/// Prometheus' text format, version 0.0.4; `make test KIND=browser` also checks it with promtool.
@Suite struct MetricsTests {
  @Test func `a family has its help, its type and a line for each set of labels`() {
    var metrics = Metrics()
    metrics.add(
      "a_total", .counter, "Things.",
      [([("chip", "one")], 3), ([("chip", "a \"b\"\\\n")], 0.5)])
    metrics.add("b", .gauge, "Nothing.", nil)
    metrics.add("c", .gauge, "No number.", .nan)
    metrics.add("d", .gauge, "Much.", .infinity)
    #expect(
      metrics.text
        == "# HELP a_total Things.\n# TYPE a_total counter\na_total{chip=\"one\"} 3\n"
        + "a_total{chip=\"a \\\"b\\\"\\\\\\n\"} 0.5\n"
        + "# HELP c No number.\n# TYPE c gauge\nc NaN\n# HELP d Much.\n# TYPE d gauge\nd +Inf\n")
  }

  @Test func `a scene is written in base units`() {
    var metrics = Metrics()
    metrics.add(PageTextTests.scene())
    let lines = metrics.text.split(separator: "\n").map(String.init)
    for line in [
      "otolith_source_info{board=\"bench\",origin=\"simulated\"} 1",
      "otolith_chip_up{chip=\"imu \\\"one\\\"\",kind=\"invensense,mpu6050\"} 0",
      "otolith_chip_lost_samples_total{chip=\"imu \\\"one\\\"\",kind=\"invensense,mpu6050\"} 3",
      "otolith_chip_sample_rate_hertz{chip=\"baro\",kind=\"bosch,bmp280\"} 24.99",
      "otolith_pressure_pascals 101325", "otolith_temperature_celsius 21.5",
      "otolith_relative_humidity_ratio 0.4", "otolith_illuminance_lux 300", "otolith_steps_total 7",
      "otolith_sensor_fault{chip=\"baro\",sensor=\"gyroscope\",fault=\"gyroscopeHung\"} 1",
      "otolith_sensor_fault{chip=\"baro\",sensor=\"gyroscope\",fault=\"gyroscopeSilent\"} 0",
      "otolith_sensor_fault_seconds_total{chip=\"baro\",sensor=\"gyroscope\",fault=\"gyroscopeHung\"} 2.04",
      "otolith_sensor_faults_total{chip=\"baro\",sensor=\"gyroscope\",fault=\"gyroscopeHung\"} 1",
      "otolith_attitude_coasting 0", "otolith_attitude_coasting_seconds_total 2.5",
    ] { #expect(lines.contains(line), "\(line)") }
    // No metric family occurs twice.
    let names = lines.filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(names).count == names.count)
  }
}
