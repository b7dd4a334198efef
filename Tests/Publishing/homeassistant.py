# SPDX-License-Identifier: Apache-2.0
"""Home Assistant's rules for discovery payloads, as far as otolith's payloads use them, written
again.

Sources in home-assistant/core: components/mqtt/schemas.py, entity.py, sensor.py, binary_sensor.py,
event.py, discovery.py, util.py; components/sensor/const.py, binary_sensor/__init__.py. Payloads
that Home Assistant would ignore silently are refused here.
"""

import re

import voluptuous as vol

TOPIC = re.compile(r"(?P<prefix>.+?)/(?P<component>\w+)/(?:(?P<node>[a-zA-Z0-9_-]+)/)?(?P<object>[a-zA-Z0-9_-]+)/config")


def subscribed(value):
    """valid_subscribe_topic"""
    text = vol.Schema(str)(value)
    if not 0 < len(text.encode()) <= 65535 or "\0" in text:
        raise vol.Invalid("no topic")
    for index, level in enumerate(parts := text.split("/")):
        if "+" in level and level != "+" or "#" in level and (level != "#" or index != len(parts) - 1):
            raise vol.Invalid("wildcards stand alone")
    return text


def template(value):
    """cv.template without Jinja: checks only that braces are closed."""
    if not isinstance(value, str) or value.count("{{") != value.count("}}"):
        raise vol.Invalid("no template")
    return value


# The units by device class, from sensor.const.DEVICE_CLASS_UNITS.
UNITS = {
    "atmospheric_pressure": {"cbar", "bar", "hPa", "inHg", "kPa", "mbar", "Pa", "psi", "mmHg", "inH₂O", "mPa"},
    "temperature": {"°C", "°F", "K"},
    "humidity": {"%"},
    "illuminance": {"lx"},
    "enum": {None},
}
DEVICE = vol.All(vol.Schema({
    vol.Optional("identifiers", default=list): [str],
    vol.Optional("connections", default=list): [vol.All([str], vol.Length(2, 2))],
    **{vol.Optional(name): str for name in (
        "manufacturer model model_id name hw_version serial_number sw_version via_device suggested_area").split()},
}), lambda device: device if device["identifiers"] or device["connections"] else (_ for _ in ()).throw(
    vol.Invalid("a device has an identifier or a connection")))
COMMON = {
    vol.Required("state_topic"): subscribed,
    # Home Assistant cannot register the entity of a device without this.
    vol.Required("unique_id"): vol.All(str, vol.Length(1)),
    vol.Optional("name"): vol.Any(None, str),
    vol.Optional("value_template"): template,
    vol.Optional("availability_topic"): subscribed,
    vol.Optional("icon"): vol.Match(r"[\w-]+:[\w-]+$"),
    vol.Required("device"): DEVICE,
    vol.Required("origin"): {vol.Required("name"): str, vol.Optional("sw_version"): str, vol.Optional("support_url"): str},
}


def sensor(config):
    """validate_sensor_state_and_device_class_config"""
    kind, unit = config.get("device_class"), config.get("unit_of_measurement")
    if "options" in config:
        if kind != "enum" or "state_class" in config or unit:
            raise vol.Invalid("options are for device_class enum, without state_class and unit")
    elif kind == "enum":
        raise vol.Invalid("device_class enum needs options")
    if kind and unit not in UNITS[kind]:
        raise vol.Invalid(f"{unit} is no unit of {kind}")
    return config


SCHEMAS = {
    "sensor": vol.All(vol.Schema(COMMON | {
        vol.Optional("device_class"): vol.In(UNITS),
        vol.Optional("state_class"): vol.In(["measurement", "measurement_angle", "total", "total_increasing"]),
        vol.Optional("unit_of_measurement"): str,
        vol.Optional("options"): vol.All([str], vol.Length(1)),
    }), sensor),
    "binary_sensor": vol.Schema(COMMON | {vol.Optional("device_class"): vol.In(["door", "occupancy", "motion", "moving", "vibration"])}),
    "event": vol.Schema(COMMON | {
        vol.Required("event_types"): vol.All([str], vol.Length(1)),
        vol.Optional("device_class"): vol.In(["button", "doorbell", "motion"]),
    }),
}


def check(topic, config):
    """Raises an error if Home Assistant would create no entity. Returns the component."""
    found = TOPIC.fullmatch(topic)
    if not found or found["component"] not in SCHEMAS:
        raise vol.Invalid(f"{topic} is no topic of discovery")
    SCHEMAS[found["component"]](config)
    return found["component"]
