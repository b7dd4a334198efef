# SPDX-License-Identifier: Apache-2.0
"""Runs unmodified drivers of other projects on the simulated chips: run.py OTOLITH [DRIVER...]

For each driver `otolith simulate` is started with a world that is held still; the driver must read
the held values, within the resolution of the chip. Drivers are fetched from PyPI by their hashes
into the user's cache, and run directly from their wheels.
"""

import hashlib
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BOARD = HERE.parent.parent / "boards" / "simulated-all.yaml"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "otolith" / "drivers"

# Chips at addresses that other chips of that board have: lines of a separate board file.
RELATIVES = {
    "MPU-9250": [
        'imu: { chip: "invensense,mpu9250", on: i2c, address: 0x68 }',
        'compass: { chip: "asahi-kasei,ak8963", on: i2c, address: 0x0C, behind: imu, mounting: [y, x, -z] }',
    ],
    "ICM-20948": ['imu: { chip: "invensense,icm20948", on: i2c, address: 0x69 }'],
    "LSM6DSOX": ['imu: { chip: "st,lsm6dsox", on: i2c, address: 0x6A }'],
    "LSM6DSO32": ['imu: { chip: "st,lsm6dso32", on: i2c, address: 0x6A }'],
    "ISM330DHCX": ['imu: { chip: "st,ism330dhcx", on: i2c, address: 0x6A }'],
    "BMI270": ['imu: { chip: "bosch,bmi270", on: i2c, address: 0x68 }'],
    "LIS2MDL": ['compass: { chip: "st,lis2mdl", on: i2c, address: 0x1E }'],
    "QMC5883P": ['compass: { chip: "qst,qmc5883p", on: i2c, address: 0x2C }'],
    "LPS25H": ['barometer: { chip: "st,lps25h", on: i2c, address: 0x5C }'],
    "LPS22HB": ['barometer: { chip: "st,lps22hb", on: i2c, address: 0x5D }'],
    "HTS221": ['hygrometer: { chip: "st,hts221", on: i2c, address: 0x5F }'],
    "BMP388": ['barometer: { chip: "bosch,bmp388", on: i2c, address: 0x76 }'],
    "BMP390": ['barometer: { chip: "bosch,bmp390", on: i2c, address: 0x77 }'],
    "BMP390 (SPI)": ['barometer: { chip: "bosch,bmp390", on: spi }'],
    "BMP581": ['barometer: { chip: "bosch,bmp581", on: i2c, address: 0x47 }'],
    "BMP581 (SPI)": ['barometer: { chip: "bosch,bmp581", on: spi }'],
    "LSM9DS1": [
        'imu: { chip: "st,lsm9ds1-imu", on: i2c, address: 0x6B }',
        'compass: { chip: "st,lsm9ds1-magn", on: i2c, address: 0x1E }',
    ],
}

# Units: g, rad/s, microtesla, kPa, degrees Celsius, percent, lux, parts; with Core Motion's signs.
# There are two worlds, so that no driver is right by chance.
WORLDS = [
    {
        "acceleration": [0.1, -0.2, -0.97], "rotation-rate": [0.5, -0.25, 1],
        "magnetic-field": [20, -5, -42], "pressure": [98.7], "temperature": [31.5], "humidity": [45],
        "illuminance": [320.4], "proximity": [0.25],
    },
    {
        "acceleration": [-0.7, 0.6, 0.3], "rotation-rate": [-2, 1.5, -0.1],
        "magnetic-field": [-33, 27.5, 8], "pressure": [101.9], "temperature": [-5.25], "humidity": [81.5],
        "illuminance": [4321], "proximity": [0.9],
    },
]

BLINKA = [
    "adafruit-circuitpython-busdevice", "adafruit-circuitpython-register",
    "adafruit-circuitpython-typing", "typing-extensions",
]


def motion(counts_per_g, counts_per_degree, counts_per_kelvin=None):
    """The steps of one count each, at the ranges that the driver chooses."""
    steps = {"acceleration": 1 / counts_per_g, "rotation-rate": math.radians(1 / counts_per_degree)}
    return steps | ({"temperature": 1 / counts_per_kelvin} if counts_per_kelvin else {})


# MPU-6050: product specification 3.4, 6.1 and 6.2; register map 4.18.
MPU_250, MPU_500 = motion(16384, 131, 340), motion(16384, 65.5, 340)
# MPU-9250 and ICM-20948: their sheets' tables of sensitivity; 0.15 uT a count, of the AK8963 with the factory's adjustment.
AK8963, AK09916 = {"magnetic-field": 0.18}, {"magnetic-field": 0.15}
MPU9250 = motion(8192, 131, 333.87) | AK8963
# LSM6DS3, LSM6DS3TR-C: data sheets, 4.1 and 4.3.
LSM_2G, LSM_4G = motion(1 / 0.061e-3, 1 / 8.75e-3), motion(1 / 0.122e-3, 1 / 8.75e-3, 256)
# LSM6DSO32: 0.244 mg at 8 g.
LSM_8G = motion(1 / 0.244e-3, 1 / 8.75e-3, 256)
# LSM9DS1: data sheet, table 3.
LSM9 = motion(1 / 0.061e-3, 1 / 8.75e-3, 16) | {"magnetic-field": 0.014}
# BMI160: data sheet, 1.2 and 2.11.7.
BMI_250, BMI_2000 = motion(16384, 131.2, 512), motion(16384, 16.4, 512)
# LIS3MDL: data sheet, 2.1: 6842 counts a gauss.
LIS = {"magnetic-field": 100 / 6842}
# LIS2MDL: data sheet, table 2: 1.5 milligauss a count.
LIS2 = {"magnetic-field": 0.15}
# QMC5883L: data sheet, table 2: 12000 counts a gauss.
QMC = {"magnetic-field": 100 / 12000}
# QMC5883P: data sheet, table 2: 3750 counts a gauss at 8 gauss.
QMCP = {"magnetic-field": 100 / 3750}
# BMP280, BME280: data sheets, 3.3: 2.62 Pa and 0.005 K at 16 bits, and 0.008 percent. (The models
# invert the fixed-point compensation of the data sheet, which agrees with the floating-point one of
# these drivers to 0.5 Pa and 0.002 K.)
BMP = {"pressure": 2.62e-3, "temperature": 0.005}
BME = BMP | {"humidity": 0.008}

# LPS25H, LPS22HB: data sheets, table 3: 4096 counts a hPa, 480 and 100 a degree.
LPS25, LPS22 = ({"pressure": 1 / 40960, "temperature": 1 / counts} for counts in (480, 100))
# HTS221: data sheet, table 3: 64 counts a degree, 256 a percent.
HTS = {"temperature": 1 / 64, "humidity": 1 / 256}
# BMP388, BMP390: data sheets, 3.4: 0.016 Pa and 0.00015 K at 21 bits and more.
BMP3 = {"pressure": 1.6e-5, "temperature": 0.00015}
# BMP581: data sheet, 4.5: 64 counts a pascal, 65536 a degree.
BMP5 = {"pressure": 1 / 64000, "temperature": 1 / 65536}
# VCNL4040: data sheet, basic characteristics: 0.1 lx at 80 ms, 12 bits.
VCNL = {"illuminance": 0.1, "proximity": 1 / 4095}

# The drivers by their names in drivers.py: the chip, its place, the step of each quantity, and the
# wheels.
DRIVERS = {
    "mpu6050_raspberrypi": ("MPU-6050", MPU_250, ["mpu6050-raspberrypi"]),
    "mpu6050_pi": ("MPU-6050", MPU_250 | {"temperature": 0.01}, ["mpu6050-pi"]),
    "adafruit_mpu6050": ("MPU-6050", MPU_500, ["adafruit-circuitpython-mpu6050", *BLINKA]),
    "mpu9250_jmdev": ("MPU-9250", MPU9250, ["mpu9250-jmdev"]),
    "adafruit_icm20948": (
        "ICM-20948", motion(4096, 65.5) | AK09916, ["adafruit-circuitpython-icm20x", *BLINKA]
    ),
    "pimoroni_icm20948": ("ICM-20948", motion(2048, 131) | AK09916, ["icm20948"]),
    "adafruit_lsm6ds3trc": ("LSM6DS3TR-C", LSM_4G, ["adafruit-circuitpython-lsm6ds", *BLINKA]),
    "adafruit_lsm6ds33": ("LSM6DS3", LSM_4G, ["adafruit-circuitpython-lsm6ds", *BLINKA]),
    "adafruit_lsm6dsox": ("LSM6DSOX", LSM_4G, ["adafruit-circuitpython-lsm6ds", *BLINKA]),
    "adafruit_lsm6dso32": ("LSM6DSO32", LSM_8G, ["adafruit-circuitpython-lsm6ds", *BLINKA]),
    "adafruit_ism330dhcx": ("ISM330DHCX", LSM_4G, ["adafruit-circuitpython-lsm6ds", *BLINKA]),
    "adafruit_lsm9ds1": ("LSM9DS1", LSM9, ["adafruit-circuitpython-lsm9ds1", *BLINKA]),
    "pimoroni_lsm6ds3": ("LSM6DS3TR-C", LSM_2G, ["lsm6ds3"]),
    "pimoroni_lsm6ds3_old": ("LSM6DS3", LSM_2G, ["lsm6ds3"]),
    "lsm6ds3_micropython": ("LSM6DS3TR-C", LSM_2G, ["lsm6ds3-micropython"]),
    "bmi160_i2c": ("BMI160", BMI_250, ["bmi160-i2c"]),
    "circuitpython_bmi160": ("BMI160", BMI_2000, ["circuitpython-bmi160", *BLINKA]),
    "micropython_bmi160": ("BMI160", motion(16384, 16.4), ["micropython-bmi160"]),
    "micropython_bmi270": ("BMI270", motion(16384, 131.072), ["micropython-bmi270"]),
    "adafruit_lis3mdl": ("LIS3MDL", LIS, ["adafruit-circuitpython-lis3mdl", *BLINKA]),
    "micropython_lis3mdl": ("LIS3MDL", LIS, ["micropython-lis3mdl"]),
    "adafruit_lis2mdl": ("LIS2MDL", LIS2, ["adafruit-circuitpython-lis2mdl", *BLINKA]),
    "circuitpython_qmc5883l": ("QMC5883L", QMC, ["circuitpython-qmc5883l", *BLINKA]),
    "micropython_qmc5883l": ("QMC5883L", QMC, ["micropython-qmc5883l"]),
    "adafruit_qmc5883p": ("QMC5883P", QMCP, ["adafruit-circuitpython-qmc5883p", *BLINKA]),
    "adafruit_bmp280_i2c": ("BMP280", BMP, ["adafruit-circuitpython-bmp280", *BLINKA]),
    "adafruit_bmp280_spi": ("BMP280 (SPI)", BMP, ["adafruit-circuitpython-bmp280", *BLINKA]),
    "pimoroni_bmp280": ("BMP280", BMP, ["bmp280", "i2cdevice"]),
    "bmp280lp": ("BMP280", BMP, ["bmp280lp"]),
    "bmp280_spi_rpi": ("BMP280 (SPI)", BMP, ["bmp280-spi-rpi"]),
    "adafruit_bme280": ("BME280", BME, ["adafruit-circuitpython-bme280", *BLINKA]),
    "rpi_bme280": ("BME280", BME, ["rpi.bme280", "pytz"]),
    "bme280": ("BME280", BME, ["bme280"]),
    "pimoroni_bme280": ("BME280", BME, ["pimoroni-bme280", "i2cdevice"]),
    "bme280pi": ("BME280", BME, ["bme280pi"]),
    "adafruit_lps25": ("LPS25H", LPS25, ["adafruit-circuitpython-lps2x", *BLINKA]),
    "adafruit_lps22": ("LPS22HB", LPS22, ["adafruit-circuitpython-lps2x", *BLINKA]),
    "adafruit_hts221": ("HTS221", HTS, ["adafruit-circuitpython-hts221", *BLINKA]),
    "adafruit_bmp388": ("BMP388", BMP3, ["adafruit-circuitpython-bmp3xx", *BLINKA]),
    "adafruit_bmp390": ("BMP390", BMP3, ["adafruit-circuitpython-bmp3xx", *BLINKA]),
    "adafruit_bmp390_spi": ("BMP390 (SPI)", BMP3, ["adafruit-circuitpython-bmp3xx", *BLINKA]),
    "adafruit_bmp581": ("BMP581", BMP5, ["adafruit-circuitpython-bmp5xx", *BLINKA]),
    "adafruit_bmp581_spi": ("BMP581 (SPI)", BMP5, ["adafruit-circuitpython-bmp5xx", *BLINKA]),
    "circuitpython_bmp581": ("BMP581", BMP5, ["circuitpython-bmp581", *BLINKA]),
    "micropython_bmp581": ("BMP581", BMP5, ["micropython-bmp581"]),
    "adafruit_vcnl4040": ("VCNL4040", VCNL, ["adafruit-circuitpython-vcnl4040", *BLINKA]),
}

# Tests that are skipped because of an error in the driver, with the reason.
BUGS = {
    ("adafruit_lsm6ds33", "temperature"): "takes 256 counts/K, which is the TR-C's; the LSM6DS3 has 16",
    ("adafruit_lsm9ds1", "temperature"): "takes 256 counts/K and 27.5 degrees at 0, a guess as it says; ST has 16 and 25",
    ("micropython_bmi160", "acceleration"): "divides by 9.80665 where it should multiply",
    ("bme280", "temperature"): "takes dig_T3 for unsigned: only dig_T2 is in its loop over signed words",
    ("bme280", "pressure"): "compensated by its wrong temperature",
    ("bme280", "humidity"): "compensated by its wrong temperature",
}

# Drivers that use another scale: the expected value is the held value times this.
SCALES = {
    # The driver takes 32768 counts for 250 deg/s; the data sheet gives 131 counts per degree/s.
    ("mpu6050_pi", "rotation-rate"): 131 / (32768 / 250),
    ("mpu9250_jmdev", "rotation-rate"): 131 / (32768 / 250),
    # The driver doubles the data sheet's rounded 16.4 counts per degree/s for each smaller range.
    ("micropython_bmi270", "rotation-rate"): (32768 / 250) / 131.2,
}


def wheels():
    """Returns the wheels by their projects' names, from the cache; pip fetches those that are missing."""
    text = (HERE / "requirements.txt").read_text().splitlines()
    wanted = {}
    for line in text:
        if line and not line.startswith("#"):
            project, digest = line.split(" --hash=sha256:")
            wanted[digest] = project.split("==")[0]
    CACHE.mkdir(parents=True, exist_ok=True)
    found = cached(wanted)
    if len(found) < len(wanted):
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--require-hashes", "--dest", str(CACHE),
            "--requirement", str(HERE / "requirements.txt"),
        ]
        if subprocess.run(command).returncode:
            sys.exit(f"run.py: could not fetch the drivers; try: {shlex.join(command)}")
        found = cached(wanted)
    if len(found) < len(wanted):
        sys.exit(f"run.py: pip fetched something else: {sorted(set(wanted.values()) - set(found))}")
    return found


def cached(wanted):
    digests = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in CACHE.glob("*.whl")}
    return {project: digests[digest] for digest, project in wanted.items() if digest in digests}


def hold(world):
    return ";".join(f"{key}={','.join(map(str, values))}" for key, values in world.items())


def board(chip, folder):
    """Returns the path of the board that has `chip`."""
    if chip not in RELATIVES:
        return BOARD
    path = pathlib.Path(folder) / "board.yaml"
    lines = ["otolith-board: 1", "name: Relatives", "buses: { i2c: { simulated: i2c }, spi: { simulated: spi, select: 0 } }", "chips:"]
    lines += [f"  {line}" for line in RELATIVES[chip]]
    path.write_text("\n".join([*lines, "simulation: { motion: still }", ""]))
    return path


def read(otolith, name, chip, paths, world):
    """Returns what driver `name` reads from `chip` in `world`, or the error."""
    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        path = f"{folder}/sock"
        server = subprocess.Popen(
            [otolith, "simulate", "--board", str(board(chip, folder)), "--listen", path, "--hold", hold(world)],
            stderr=subprocess.PIPE, text=True,
        )
        try:
            # The server prints one line: that it listens, or why it cannot.
            ready = server.stderr.readline()
            if not os.path.exists(path):
                return f"otolith: {ready.strip()}"
            environment = os.environ | {
                "OTOLITH_BUS_SOCKET": path, "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONPATH": os.pathsep.join([str(HERE / "standins"), *map(str, paths)]),
            }
            driver = subprocess.run(
                [sys.executable, str(HERE / "drivers.py"), name],
                env=environment, capture_output=True, text=True, timeout=60,
            )
            if driver.returncode:
                return (driver.stderr.strip().splitlines() or ["ended without a word"])[-1]
            return json.loads(driver.stdout.splitlines()[-1])
        except subprocess.TimeoutExpired:
            return "did not end within a minute"
        finally:
            server.terminate()
            if server.wait(10) != 0:
                return f"otolith simulate ended with {server.returncode}"


def main():
    if len(sys.argv) < 2:
        sys.exit("run.py: say where otolith is: run.py OTOLITH [DRIVER...]")
    otolith, names = sys.argv[1], sys.argv[2:] or list(DRIVERS)
    found = wheels()
    passed = failed = skipped = 0
    began = time.monotonic()
    print(f"{'driver':22}{'chip':14}{'quantity':16}{'held':>24}{'read':>28}{'off':>8} steps")
    for name in names:
        chip, steps, projects = DRIVERS[name]
        for world in WORLDS:
            values = read(otolith, name, chip, [found[project] for project in projects], world)
            if isinstance(values, str) or set(values) != set(steps):
                print(f"{name:22}{chip:14}FAILED: {values}")
                failed += 1
                continue
            for quantity, step in steps.items():
                held = world[quantity]
                row = f"{name:22}{chip:14}{quantity:16}{' '.join(f'{value:g}' for value in held):>24}"
                if bug := BUGS.get((name, quantity)):
                    if world is WORLDS[0]:
                        print(f"{row}  skipped: {bug}")
                    skipped += 1
                    continue
                scale = SCALES.get((name, quantity), 1)
                off = max(abs(a - b * scale) / step for a, b in zip(values[quantity], held, strict=True))
                shown = " ".join(f"{value:.4f}" for value in values[quantity])
                print(f"{row}{shown:>28}{off:8.2f}{'' if off <= 1 else '  FAILED'}")
                passed, failed = passed + (off <= 1), failed + (off > 1)
    print(f"in {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
