// SPDX-License-Identifier: Apache-2.0

// Without this trait other packages are not fetched, and other targets would report missing
// modules. This target depends on no other, so its error is printed first.
#if !(Host || History || Tool)
  #error("needs otolith's trait Host: leave out `traits: []`, or take the product OtolithCore")
#endif
