# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/microcontrollers.md."""

# The largest size of a driver in bytes, including its decoder.
DRIVER_LIMIT = 4096
# The firmwares of Firmware/Sources/Sizes: the C entry, and the board whose tape it runs over; with
# None it is only linked.
FIRMWARES = {
    'MPU6050': ('size_mpu6050', 'mpu6050'),
    'LSM6DS3': ('size_lsm6ds3', 'lsm6ds3'),
    'BMI160': ('size_bmi160', 'bmi160'),
    'LIS3MDL': ('size_lis3mdl', 'lis3mdl'),
    'BMP280': ('size_bmp280', 'bmp280'),
    'LSM6DS3 queue': ('size_lsm6ds3_queue', 'lsm6ds3-queue'),
    'BMI160 queue': ('size_bmi160_queue', 'bmi160-queue'),
    'fusion': ('size_fusion', 'mpu6050'),
    'steps': ('size_steps', 'mpu6050'),
    'movement': ('size_movement', 'mpu6050'),
    'ICM-20948': ('size_icm20948', None),
    'ICM-20948 with AK09916': ('size_icm20948_nine_axes', None),
    'ICM-42688-P': ('size_icm42688p', None),
    'ICM-45686': ('size_icm45686', None),
    'LSM6DSO': ('size_lsm6dso', None),
    'LSM6DSV16X': ('size_lsm6dsv16x', None),
    'LSM9DS1': ('size_lsm9ds1', None),
    'HMC5883L': ('size_hmc5883l', None),
    'QMC5883L': ('size_qmc5883l', None),
    'LPS22HB': ('size_lps22hb', None),
    'BMP388': ('size_bmp388', None),
    'HTS221': ('size_hts221', None),
    'VCNL4040': ('size_vcnl4040', None),
    'BMP581': ('size_bmp581', None),
    'QMI8658': ('size_qmi8658', None),
}
# Five drivers with one way of acquisition each, and then two of them with another.
READ_BY = {'MPU6050': 'FIFO, I2C', 'LSM6DS3': 'edges, I2C', 'BMI160': 'edges, SPI', 'LIS3MDL': 'polling, I2C',
           'BMP280': 'polling, I2C', 'LSM6DS3 queue': 'FIFO, I2C', 'BMI160 queue': 'FIFO, SPI'}
# The drivers that are only linked, by the name and the way of reading.
LINKED = {'ICM-20948': 'FIFO, I2C', 'ICM-20948 with AK09916': 'FIFO, I2C', 'ICM-42688-P': 'FIFO, SPI',
          'ICM-45686': 'FIFO, SPI', 'LSM6DSO': 'edges, I2C', 'LSM6DSV16X': 'edges, I2C', 'LSM9DS1': 'edges, I2C',
          'HMC5883L': 'polling, I2C', 'QMC5883L': 'polling, I2C', 'LPS22HB': 'polling, I2C', 'BMP388': 'polling, I2C',
          'HTS221': 'polling, I2C', 'VCNL4040': 'polling, I2C', 'BMP581': 'polling, I2C', 'QMI8658': 'edges, I2C'}
WHOLE = {
    'MPU6050': 'one driver',
    'fusion': 'with 9-axis fusion',
    'steps': 'with 9-axis fusion and steps',
    'movement': 'with fusion, steps, activity, floors',
}
BEGIN, END = '<!-- made by make test KIND=embedded: begin -->', '<!-- made by make test KIND=embedded: end -->'


def number(value):
    return f'{round(value):,}'.replace(',', ' ')


def table(head, rows):
    lines = ['| ' + ' | '.join(head) + ' |', '|---' + '|---:' * (len(head) - 1) + '|']
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows])


def make(results, firmwares, precisions):
    """Returns the tables as Markdown for these precisions, and the values that miss their limits."""
    misses = []

    def both(cell):
        return ' / '.join(number(cell(precision)) for precision in precisions)

    drivers = []
    for name, read_by in READ_BY.items():
        chip = name.split()[0]
        flash = {precision: firmwares[precision, name][0] for precision in precisions}
        board = FIRMWARES[name][1]
        decoded = {precision: results[precision, board]['decoding'][1] for precision in precisions}
        drivers.append([chip, read_by, both(lambda p: flash[p]['Chips']),
                        both(lambda p: flash[p]['Sensors'] + flash[p]['Registers']), both(lambda p: flash[p]['all']),
                        both(lambda p: results[p, board][chip]), both(lambda p: decoded[p])])
        for p in precisions:
            if name == chip and flash[p]['Chips'] > DRIVER_LIMIT:
                misses.append(f'{name}, {p}: driver and decoder take {flash[p]["Chips"]} bytes of flash, more than {DRIVER_LIMIT}')
        misses += [f'{name}, {p}: its small firmware asks other things than were recorded'
                   for p in precisions if firmwares[p, name][1]['divergences']]
    text = ['Bytes and instructions, ' + ' / '.join({'double': 'double', 'float': 'single'}[p] for p in precisions) + ' precision.', '']
    text.append(table(['driver', 'read by', 'driver and decoder, flash', 'clock and registers, flash',
                       'a firmware of it alone, flash', 'driver, RAM', 'instructions to decode a frame'], drivers))
    linked = []
    for name, read_by in LINKED.items():
        flash = {precision: firmwares[precision, name][0] for precision in precisions}
        linked.append([name, read_by, both(lambda p: flash[p]['Chips']), both(lambda p: flash[p]['Sensors'] + flash[p]['Registers']),
                       both(lambda p: flash[p]['all'])])
    text += ['', table(['linked, not run', 'read by', 'driver and decoder, flash', 'clock and registers, flash',
                        'a firmware of it alone, flash'], linked)]
    layers = []
    for name, title in WHOLE.items():
        flash = {precision: firmwares[precision, name][0] for precision in precisions}
        counted = {precision: firmwares[precision, name][1] for precision in precisions}
        layers.append([title] + [both(lambda p: flash[p][module]) for module in ('Chips', 'Fusion', 'Recognition')]
                      + [both(lambda p: flash[p]['Quantities'] + flash[p]['Sensors'] + flash[p]['Registers']),
                         both(lambda p: flash[p]['C library']), both(lambda p: flash[p]['all']),
                         both(lambda p: counted[p]['static']), both(lambda p: counted[p]['stack'])])
    text += ['', table(['an MPU-6050 read by its FIFO', 'Chips', 'Fusion', 'Recognition', 'below', 'newlib, libgcc', 'flash in all',
                        'data', 'stack at most'], layers)]
    calls = []
    for title, board, name in (('motion of a sample of gyroscope and accelerometer, 6 axes', 'mpu6050', 'fusion'),
                               ('the same on a board of 9 axes', 'ten-axes', 'fusion'),
                               ('a sample of the magnetometer', 'ten-axes', 'heading'),
                               ('steps, activity and floors, a sample of the accelerometer', 'ten-axes', 'recognition')):
        calls.append([title, both(lambda p: results[p, board][name][1]), both(lambda p: results[p, board][name][2])])
    text += ['', table(['instructions of a call', 'mean', 'longest'], calls)]
    return '\n'.join(text), misses


def record(page, text):
    """Puts the tables into a page, between its markers."""
    old = page.read_text()
    begin, end = old.index(BEGIN) + len(BEGIN), old.index(END)
    page.write_text(old[:begin] + '\n' + text + '\n' + old[end:])
