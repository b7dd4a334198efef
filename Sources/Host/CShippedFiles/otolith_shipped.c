// SPDX-License-Identifier: Apache-2.0
#include "otolith_shipped.h"

#include <stddef.h>

// `#embed` is part of C23, but the compilers of Swift 6.2 and later have it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char simulated[] = {
#embed "../../../boards/simulated.yaml" suffix(, 0)
};

static const struct otolith_shipped_file boards[] = {
  {"raspberry-pi-10dof.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-10dof.yaml" suffix(, 0)
  }},
  {"raspberry-pi-adafruit-4517.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-adafruit-4517.yaml" suffix(, 0)
  }},
  {"raspberry-pi-adafruit-4554.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-adafruit-4554.yaml" suffix(, 0)
  }},
  {"raspberry-pi-adafruit-5543.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-adafruit-5543.yaml" suffix(, 0)
  }},
  {"raspberry-pi-bmi160-spi.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-bmi160-spi.yaml" suffix(, 0)
  }},
  {"raspberry-pi-bmi270.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-bmi270.yaml" suffix(, 0)
  }},
  {"raspberry-pi-bmp280.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-bmp280.yaml" suffix(, 0)
  }},
  {"raspberry-pi-bmp581.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-bmp581.yaml" suffix(, 0)
  }},
  {"raspberry-pi-gy271.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-gy271.yaml" suffix(, 0)
  }},
  {"raspberry-pi-gy521.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-gy521.yaml" suffix(, 0)
  }},
  {"raspberry-pi-gy87.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-gy87.yaml" suffix(, 0)
  }},
  {"raspberry-pi-gy9250.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-gy9250.yaml" suffix(, 0)
  }},
  {"raspberry-pi-icm42688p-spi.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-icm42688p-spi.yaml" suffix(, 0)
  }},
  {"raspberry-pi-icm45686.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-icm45686.yaml" suffix(, 0)
  }},
  {"raspberry-pi-lis2mdl.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-lis2mdl.yaml" suffix(, 0)
  }},
  {"raspberry-pi-m5stack-imu.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-m5stack-imu.yaml" suffix(, 0)
  }},
  {"raspberry-pi-minimu9-v5.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-minimu9-v5.yaml" suffix(, 0)
  }},
  {"raspberry-pi-qmi8658.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-qmi8658.yaml" suffix(, 0)
  }},
  {"raspberry-pi-sense-hat-v2.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-sense-hat-v2.yaml" suffix(, 0)
  }},
  {"raspberry-pi-sense-hat.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-sense-hat.yaml" suffix(, 0)
  }},
  {"raspberry-pi-sparkfun-21325.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-sparkfun-21325.yaml" suffix(, 0)
  }},
  {"raspberry-pi-vcnl4040.yaml", (const char[]){
#embed "../../../boards/raspberry-pi-vcnl4040.yaml" suffix(, 0)
  }},
  {"simulated-all.yaml", (const char[]){
#embed "../../../boards/simulated-all.yaml" suffix(, 0)
  }},
  {"simulated.yaml", simulated},
  {NULL, NULL},
};

static const struct otolith_shipped_file page[] = {
  {"index.html", (const char[]){
#embed "Page/index.html" suffix(, 0)
  }},
  {"style.css", (const char[]){
#embed "Page/style.css" suffix(, 0)
  }},
  {"page.js", (const char[]){
#embed "Page/page.js" suffix(, 0)
  }},
  {"board.js", (const char[]){
#embed "Page/board.js" suffix(, 0)
  }},
  {"charts.js", (const char[]){
#embed "Page/charts.js" suffix(, 0)
  }},
  {"task.js", (const char[]){
#embed "Page/task.js" suffix(, 0)
  }},
  {"icon.svg", (const char[]){
#embed "Page/icon.svg" suffix(, 0)
  }},
  {"openapi.json", (const char[]){
#embed "Page/openapi.json" suffix(, 0)
  }},
  {NULL, NULL},
};

const struct otolith_shipped_file *otolith_shipped_boards(void) { return boards; }

const char *otolith_shipped_simulated_board(void) { return simulated; }

const struct otolith_shipped_file *otolith_shipped_page(void) { return page; }
