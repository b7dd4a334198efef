// SPDX-License-Identifier: Apache-2.0

// Firmware entries for chips whose Linux drivers can be bound only by their name in the device
// tree, which the kernel of a PC takes from ACPI (kernel
// Documentation/firmware-guide/acpi/enumeration.rst, "Device Tree namespace link device ID"). The
// module searches for a driver's name in the _UID entries.
DefinitionBlock ("", "SSDT", 2, "OTOLIT", "BENCH", 1)
{
  Scope (\_SB)
  {
    Device (ICM0)
    {
      Name (_HID, "PRP0001")
      Name (_UID, "icm42688")
      Name (_DSD, Package ()
      {
        ToUUID ("daffd814-6eba-4d8c-8a91-bc9bbf4aa301"),
        Package () { Package () { "compatible", "invensense,icm42688" } }
      })
    }
  }
}
