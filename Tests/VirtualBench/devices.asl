// SPDX-License-Identifier: Apache-2.0

// Firmware's word for chips whose Linux drivers know no other way to be asked for: by name of the device tree, which a PC's kernel
// takes from ACPI (kernel Documentation/firmware-guide/acpi/enumeration.rst, "Device Tree namespace link device ID").
// The module looks a driver's name up among the _UID.
DefinitionBlock ("", "SSDT", 2, "OTOLIT", "BENCH", 1)
{
  Scope (\_SB)
  {
    Device (ICM0)
    {
      Name (_HID, "PRP0001")
      Name (_UID, "icm42605")
      Name (_DSD, Package ()
      {
        ToUUID ("daffd814-6eba-4d8c-8a91-bc9bbf4aa301"),
        Package () { Package () { "compatible", "invensense,icm42605" } }
      })
    }
  }
}
