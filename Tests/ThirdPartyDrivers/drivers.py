# SPDX-License-Identifier: Apache-2.0
"""Drivers of other projects: the calls to each, and the units of their results.

`python3 drivers.py NAME` runs one and prints what it read as JSON: g, rad/s, microtesla, kPa,
degrees Celsius, percent, lux and parts of the range of proximity, with Core Motion's signs. The
driver itself and the stand-ins are on PYTHONPATH.
"""

import builtins
import json
import math
import sys
import time

G = 9.80665


def motion(force, rate):
    """Returns a motion. `force` is what accelerometers measure, in g: Core Motion's acceleration
    has the other sign. `rate` is in rad/s."""
    return {"acceleration": [-value for value in force], "rotation-rate": list(rate)}


def air(celsius, hectopascal, percent=None):
    values = {"temperature": [celsius], "pressure": [hectopascal / 10]}
    if percent is not None:
        values["humidity"] = [percent]
    return values


# MPU-6050


def mpu6050_raspberrypi():
    from mpu6050 import mpu6050

    chip = mpu6050(0x68)
    time.sleep(0.1)
    force, rate = chip.get_accel_data(g=True), chip.get_gyro_data()
    return motion([force[axis] for axis in "xyz"], [math.radians(rate[axis]) for axis in "xyz"]) | {
        "temperature": [chip.get_temp()]
    }


def mpu6050_pi():
    # The package's __init__ imports the package by its own name, which works only from within its
    # folder.
    from MPU6050.MPU6050 import MPU6050

    chip = MPU6050(0x68)
    time.sleep(0.1)
    force, rate = chip.read_accelerometer(gravity=True), chip.read_gyroscope()
    return motion([force[axis] for axis in "xyz"], [math.radians(rate[axis]) for axis in "xyz"]) | {
        "temperature": [float(chip.get_temperature())]
    }


def adafruit_mpu6050():
    import adafruit_mpu6050
    import board

    chip = adafruit_mpu6050.MPU6050(board.I2C())
    time.sleep(0.1)
    return motion([value / G for value in chip.acceleration], chip.gyro) | {
        "temperature": [chip.temperature]
    }


# MPU-9250 with its AK8963, and ICM-20948 with its AK09916. The magnetometers' values are in the
# axes of the IMU.


def mpu9250_jmdev():
    from mpu9250_jmdev import registers
    from mpu9250_jmdev.mpu_9250 import MPU9250

    chip = MPU9250(
        address_ak=registers.AK8963_ADDRESS, address_mpu_master=0x68, address_mpu_slave=None, bus=1,
        gfs=registers.GFS_250, afs=registers.AFS_4G, mfs=registers.AK8963_BIT_16,
        mode=registers.AK8963_MODE_C100HZ,
    )
    chip.configure()
    time.sleep(0.1)
    x, y, z = chip.readMagnetometerMaster()
    return motion(
        chip.readAccelerometerMaster(), [math.radians(rate) for rate in chip.readGyroscopeMaster()]
    ) | {"magnetic-field": [y, x, -z], "temperature": [chip.readTemperatureMaster()]}


def adafruit_icm20948():
    import adafruit_icm20x
    import board

    chip = adafruit_icm20x.ICM20948(board.I2C(), 0x69)
    time.sleep(0.2)
    x, y, z = chip.magnetic
    return motion([value / G for value in chip.acceleration], chip.gyro) | {
        "magnetic-field": [x, -y, -z]
    }


def pimoroni_icm20948():
    from icm20948 import ICM20948

    chip = ICM20948(0x69)
    time.sleep(0.2)
    values = chip.read_accelerometer_gyro_data()
    x, y, z = chip.read_magnetometer_data()
    return motion(values[:3], [math.radians(rate) for rate in values[3:]]) | {
        "magnetic-field": [x, -y, -z]
    }


# LSM6DS3 and LSM6DS3TR-C


def adafruit_lsm6ds(kind, address):
    import board

    chip = kind(board.I2C(), address)
    time.sleep(0.3)
    return motion([value / G for value in chip.acceleration], chip.gyro) | {
        "temperature": [chip.temperature]
    }


def adafruit_lsm6ds3trc():
    from adafruit_lsm6ds.lsm6ds3trc import LSM6DS3TRC

    return adafruit_lsm6ds(LSM6DS3TRC, 0x6A)


def adafruit_lsm6ds33():
    from adafruit_lsm6ds.lsm6ds33 import LSM6DS33

    return adafruit_lsm6ds(LSM6DS33, 0x6B)


def adafruit_lsm6dsox():
    from adafruit_lsm6ds.lsm6dsox import LSM6DSOX

    return adafruit_lsm6ds(LSM6DSOX, 0x6A)


def adafruit_lsm6dso32():
    from adafruit_lsm6ds.lsm6dso32 import LSM6DSO32

    return adafruit_lsm6ds(LSM6DSO32, 0x6A)


def adafruit_ism330dhcx():
    from adafruit_lsm6ds.ism330dhcx import ISM330DHCX

    return adafruit_lsm6ds(ISM330DHCX, 0x6A)


def lsm6ds3_counts(chip):
    # The scales are 0.061 mg and 8.75 mdps per count (LSM6DS3 data sheet, 4.1), as the driver does
    # not change the ranges.
    time.sleep(0.3)
    counts = chip.get_readings()
    return motion(
        [value * 0.061e-3 for value in counts[:3]],
        [math.radians(value * 8.75e-3) for value in counts[3:]],
    )


def pimoroni_lsm6ds3():
    from lsm6ds3 import LSM6DS3

    return lsm6ds3_counts(LSM6DS3(address=0x6A))


def pimoroni_lsm6ds3_old():
    from lsm6ds3 import LSM6DS3

    return lsm6ds3_counts(LSM6DS3(address=0x6B))


def lsm6ds3_micropython():
    # `const` is built into MicroPython only.
    builtins.const = lambda value: value
    from lsm6ds3 import LSM6DS3
    from machine import I2C

    return lsm6ds3_counts(LSM6DS3(I2C(), address=0x6A))


# LSM9DS1


def adafruit_lsm9ds1():
    import board
    from adafruit_lsm9ds1 import LSM9DS1_I2C

    chip = LSM9DS1_I2C(board.I2C())
    time.sleep(0.3)
    # The axes follow the arrows on these two sensors, whose x is opposite to the magnetometer's.
    force = [value / G for value in chip.acceleration]
    turn = list(chip.gyro)
    return motion([-force[0], *force[1:]], [-turn[0], *turn[1:]]) | {
        "magnetic-field": [value * 100 for value in chip.magnetic],
        "temperature": [chip.temperature],
    }


# BMI160


def bmi160_i2c():
    from BMI160_i2c import Driver

    chip = Driver(0x69)
    time.sleep(0.2)
    counts = chip.getMotion6()
    # The driver sets 2 g and 250 deg/s: 16384 and 131.2 counts (BMI160 data sheet, 1.2).
    return motion(
        [value / 16384 for value in counts[3:]],
        [math.radians(value / 131.2) for value in counts[:3]],
    ) | {"temperature": [chip.getTemperature()]}


def circuitpython_bmi160():
    import bmi160
    import board

    chip = bmi160.BMI160(board.I2C())
    time.sleep(0.2)
    return motion(
        [value / G for value in chip.acceleration], [math.radians(value) for value in chip.gyro]
    ) | {"temperature": [chip.temperature]}


def micropython_bmi160():
    from machine import I2C
    from micropython_bmi160 import bmi160

    chip = bmi160.BMI160(I2C())
    time.sleep(0.2)
    return motion(
        [value / G for value in chip.acceleration], [math.radians(value) for value in chip.gyro]
    )


# BMI270


def micropython_bmi270():
    from machine import I2C
    from micropython_bmi270 import bmi270

    chip = bmi270.BMI270(I2C(), 0x68)
    time.sleep(0.2)
    return motion(
        [value / G for value in chip.acceleration], [math.radians(value) for value in chip.gyro]
    )


# LIS3MDL


def adafruit_lis3mdl():
    import adafruit_lis3mdl
    import board

    chip = adafruit_lis3mdl.LIS3MDL(board.I2C())
    time.sleep(0.2)
    return {"magnetic-field": list(chip.magnetic)}


def micropython_lis3mdl():
    from machine import I2C
    from micropython_lis3mdl import lis3mdl

    chip = lis3mdl.LIS3MDL(I2C())
    time.sleep(0.3)
    return {"magnetic-field": list(chip.magnetic)}


# LIS2MDL


def adafruit_lis2mdl():
    import adafruit_lis2mdl
    import board

    chip = adafruit_lis2mdl.LIS2MDL(board.I2C())
    time.sleep(0.3)
    return {"magnetic-field": list(chip.magnetic)}


# QMC5883L: both drivers return gauss.


def circuitpython_qmc5883l():
    import board
    import qmc5883l

    chip = qmc5883l.QMC5883L(board.I2C())
    time.sleep(0.1)
    return {"magnetic-field": [value * 100 for value in chip.magnetic]}


def micropython_qmc5883l():
    from machine import I2C
    from micropython_qmc5883l import qmc5883l

    chip = qmc5883l.QMC5883L(I2C())
    time.sleep(0.1)
    return {"magnetic-field": [value * 100 for value in chip.magnetic]}


# QMC5883P: the driver returns gauss.


def adafruit_qmc5883p():
    import adafruit_qmc5883p
    import board

    chip = adafruit_qmc5883p.QMC5883P(board.I2C())
    time.sleep(0.2)
    return {"magnetic-field": [value * 100 for value in chip.magnetic]}


# BMP280 and BME280


def adafruit_bmp280_i2c():
    import adafruit_bmp280
    import board

    chip = adafruit_bmp280.Adafruit_BMP280_I2C(board.I2C(), 0x76)
    return air(chip.temperature, chip.pressure)


def adafruit_bmp280_spi():
    import adafruit_bmp280
    import busio
    import digitalio

    spi = busio.SPI()
    chip = adafruit_bmp280.Adafruit_BMP280_SPI(spi, digitalio.DigitalInOut(4, spi))
    return air(chip.temperature, chip.pressure)


def pimoroni_bmp280():
    from bmp280 import BMP280

    chip = BMP280(i2c_addr=0x76)
    chip.setup()
    time.sleep(1)
    return air(chip.get_temperature(), chip.get_pressure())


def bmp280lp():
    from bmp280lp import BMP280

    chip = BMP280(address=0x76)
    time.sleep(0.2)
    return air(chip.read_temperature(), chip.read_pressure())


def bmp280_spi_rpi():
    from bmp280.bmp280 import BMP280

    chip = BMP280(0, 4)
    chip.configure(5, 5, 0, 0)
    time.sleep(0.3)
    values = chip.read()
    return air(values["temp"], values["press"] / 100)


def adafruit_bme280():
    import board
    from adafruit_bme280 import basic

    chip = basic.Adafruit_BME280_I2C(board.I2C(), 0x77)
    return air(chip.temperature, chip.pressure, chip.humidity)


def rpi_bme280():
    import bme280
    import smbus2

    bus = smbus2.SMBus(1)
    trim = bme280.load_calibration_params(bus, 0x77)
    values = bme280.sample(bus, 0x77, trim)
    return air(values.temperature, values.pressure, values.humidity)


def bme280():
    from bme280 import bme280, bme280_i2c

    bme280_i2c.set_default_i2c_address(0x77)
    bme280_i2c.set_default_bus(1)
    bme280.setup()
    time.sleep(0.2)
    values = bme280.read_all()
    return air(values.temperature, values.pressure, values.humidity)


def pimoroni_bme280():
    from bme280 import BME280

    chip = BME280(i2c_addr=0x77)
    chip.setup()
    time.sleep(1)
    return air(chip.get_temperature(), chip.get_pressure(), chip.get_humidity())


def bme280pi():
    from bme280pi import Sensor

    values = Sensor(address=0x77).get_data()
    return air(values["temperature"], values["pressure"], values["humidity"])


# LPS25H and LPS22HB, HTS221, BMP388, BMP390 and BMP581


def adafruit_lps25():
    import adafruit_lps2x
    import board

    chip = adafruit_lps2x.LPS25(board.I2C(), 0x5C)
    time.sleep(0.1)
    return air(chip.temperature, chip.pressure)


def adafruit_lps22():
    import adafruit_lps2x
    import board

    chip = adafruit_lps2x.LPS22(board.I2C(), 0x5D)
    time.sleep(0.1)
    return air(chip.temperature, chip.pressure)


def adafruit_hts221():
    import adafruit_hts221
    import board

    chip = adafruit_hts221.HTS221(board.I2C())
    time.sleep(0.2)
    return {"temperature": [chip.temperature], "humidity": [chip.relative_humidity]}


def adafruit_bmp388():
    import adafruit_bmp3xx
    import board

    chip = adafruit_bmp3xx.BMP3XX_I2C(board.I2C(), 0x76)
    time.sleep(0.1)
    return air(chip.temperature, chip.pressure)


def adafruit_bmp390():
    import adafruit_bmp3xx
    import board

    chip = adafruit_bmp3xx.BMP3XX_I2C(board.I2C(), 0x77)
    time.sleep(0.1)
    return air(chip.temperature, chip.pressure)


def adafruit_bmp390_spi():
    import adafruit_bmp3xx
    import busio
    import digitalio

    spi = busio.SPI()
    chip = adafruit_bmp3xx.BMP3XX_SPI(spi, digitalio.DigitalInOut(0, spi))
    time.sleep(0.1)
    return air(chip.temperature, chip.pressure)


def adafruit_bmp581():
    import adafruit_bmp5xx
    import board

    chip = adafruit_bmp5xx.BMP5XX.over_i2c(board.I2C(), 0x47)
    # The driver turns the chip's filter on, which begins at 0.
    time.sleep(1.2)
    return air(*chip.measurements)


def adafruit_bmp581_spi():
    import adafruit_bmp5xx
    import busio
    import digitalio

    spi = busio.SPI()
    chip = adafruit_bmp5xx.BMP5XX.over_spi(spi, digitalio.DigitalInOut(0, spi))
    time.sleep(1.2)
    return air(*chip.measurements)


def circuitpython_bmp581():
    import board
    import bmp581

    chip = bmp581.BMP581(board.I2C(), 0x47)
    time.sleep(1.1)
    return air(chip.temperature, chip.pressure * 10)


def micropython_bmp581():
    import machine
    from micropython_bmp581 import bmp581

    chip = bmp581.BMP581(machine.I2C(), 0x47)
    time.sleep(1.1)
    return air(chip.temperature, chip.pressure * 10)


# VCNL4040


def adafruit_vcnl4040():
    import adafruit_vcnl4040
    import board

    chip = adafruit_vcnl4040.VCNL4040(board.I2C())
    time.sleep(0.1)
    # The driver leaves proximity at 12 bits.
    return {"illuminance": [chip.lux], "proximity": [chip.proximity / 4095]}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
