// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-wmm from the coefficient file of WMM-2025, released 2024-11-13.

extension GeomagneticModel {
  /// The World Magnetic Model 2025, valid from 2025.0 to 2030.0 (NOAA NCEI and British Geological
  /// Survey, doi:10.25921/aqfd-sd83; public domain).
  public static let wmm2025 = GeomagneticModel(
    name: "WMM2025", epoch: 2025.0, validUntil: 2030.0,
    coefficients: [
      Coefficient(-293518, 0, 120, 0),  // 1 0
      Coefficient(-14108, 45454, 97, -215),  // 1 1
      Coefficient(-25566, 0, -116, 0),  // 2 0
      Coefficient(29511, -31336, -52, -277),  // 2 1
      Coefficient(16493, -8151, -80, -121),  // 2 2
      Coefficient(13610, 0, -13, 0),  // 3 0
      Coefficient(-24041, -566, -42, 40),  // 3 1
      Coefficient(12438, 2375, 4, -3),  // 3 2
      Coefficient(4536, -5495, -156, -41),  // 3 3
      Coefficient(8950, 0, -16, 0),  // 4 0
      Coefficient(7995, 2786, -24, -11),  // 4 1
      Coefficient(557, -1339, -60, 41),  // 4 2
      Coefficient(-2811, 2120, 56, 16),  // 4 3
      Coefficient(121, -3756, -70, -44),  // 4 4
      Coefficient(-2332, 0, 6, 0),  // 5 0
      Coefficient(3689, 454, 14, -5),  // 5 1
      Coefficient(1872, 2202, 0, 22),  // 5 2
      Coefficient(-1387, -1229, 6, 4),  // 5 3
      Coefficient(-1420, 430, 22, 17),  // 5 4
      Coefficient(209, 1061, 9, 19),  // 5 5
      Coefficient(644, 0, -2, 0),  // 6 0
      Coefficient(638, -184, -4, 3),  // 6 1
      Coefficient(769, 168, 9, -16),  // 6 2
      Coefficient(-1157, 488, 12, -4),  // 6 3
      Coefficient(-409, -598, -9, 9),  // 6 4
      Coefficient(149, 109, 3, 7),  // 6 5
      Coefficient(-607, 727, 9, 9),  // 6 6
      Coefficient(795, 0, 0, 0),  // 7 0
      Coefficient(-770, -489, -1, 6),  // 7 1
      Coefficient(-88, -144, -1, 5),  // 7 2
      Coefficient(593, -10, 5, -8),  // 7 3
      Coefficient(158, 234, -1, 0),  // 7 4
      Coefficient(25, -74, -8, -10),  // 7 5
      Coefficient(-111, -251, -8, 6),  // 7 6
      Coefficient(142, -23, 8, -2),  // 7 7
      Coefficient(232, 0, -1, 0),  // 8 0
      Coefficient(108, 71, 2, -2),  // 8 1
      Coefficient(-175, -126, 0, 5),  // 8 2
      Coefficient(20, 114, 5, -4),  // 8 3
      Coefficient(-217, -97, -1, 4),  // 8 4
      Coefficient(169, 127, 3, -5),  // 8 5
      Coefficient(150, 7, 2, -6),  // 8 6
      Coefficient(-168, -52, 0, 3),  // 8 7
      Coefficient(9, 39, 2, 2),  // 8 8
      Coefficient(46, 0, 0, 0),  // 9 0
      Coefficient(78, -248, -1, -3),  // 9 1
      Coefficient(30, 122, 1, 3),  // 9 2
      Coefficient(-2, 83, 3, -3),  // 9 3
      Coefficient(-25, -33, -3, 3),  // 9 4
      Coefficient(-131, -52, 0, 2),  // 9 5
      Coefficient(24, 72, 3, -1),  // 9 6
      Coefficient(86, -6, -1, -2),  // 9 7
      Coefficient(-87, 8, 1, 4),  // 9 8
      Coefficient(-129, 100, -1, 1),  // 9 9
      Coefficient(-13, 0, 1, 0),  // 10 0
      Coefficient(-64, 33, 0, 0),  // 10 1
      Coefficient(2, 0, 1, 0),  // 10 2
      Coefficient(20, 24, 1, -2),  // 10 3
      Coefficient(-10, 53, 0, 1),  // 10 4
      Coefficient(-6, -91, -3, -1),  // 10 5
      Coefficient(-9, 4, 0, 1),  // 10 6
      Coefficient(15, -42, -1, 0),  // 10 7
      Coefficient(9, -38, -1, -1),  // 10 8
      Coefficient(-27, 9, 0, 2),  // 10 9
      Coefficient(-39, -91, 0, 0),  // 10 10
      Coefficient(29, 0, 0, 0),  // 11 0
      Coefficient(-15, 0, 0, 0),  // 11 1
      Coefficient(-25, 29, 0, 1),  // 11 2
      Coefficient(24, -6, 0, 0),  // 11 3
      Coefficient(-6, 2, 0, 1),  // 11 4
      Coefficient(-1, 5, -1, 0),  // 11 5
      Coefficient(-6, -3, 0, 0),  // 11 6
      Coefficient(-1, -12, 0, 1),  // 11 7
      Coefficient(11, -17, -1, 0),  // 11 8
      Coefficient(-10, -29, -1, 0),  // 11 9
      Coefficient(-2, -18, -1, 0),  // 11 10
      Coefficient(26, -23, -1, 0),  // 11 11
      Coefficient(-20, 0, 0, 0),  // 12 0
      Coefficient(-2, -13, 0, 0),  // 12 1
      Coefficient(3, 7, 0, 0),  // 12 2
      Coefficient(12, 10, 0, -1),  // 12 3
      Coefficient(-13, -14, 0, 1),  // 12 4
      Coefficient(6, 0, 0, 0),  // 12 5
      Coefficient(6, 6, 1, 0),  // 12 6
      Coefficient(5, -1, 0, 0),  // 12 7
      Coefficient(-1, 8, 0, 0),  // 12 8
      Coefficient(-4, 1, 0, 0),  // 12 9
      Coefficient(-2, -10, -1, 0),  // 12 10
      Coefficient(-13, 1, 0, 0),  // 12 11
      Coefficient(-7, 2, -1, -1),  // 12 12
    ])
}
