// SPDX-License-Identifier: Apache-2.0

// Without this trait other packages are not fetched, so the compiler would report missing modules
// in other targets. This target depends on no other target, so that its error is printed first.
#if !(Host || History || Tool)
  #error("needs otolith's trait Host: leave out `traits: []`, or take the product OtolithCore")
#endif
