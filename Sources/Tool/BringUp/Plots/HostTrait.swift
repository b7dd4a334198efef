// SPDX-License-Identifier: Apache-2.0

// Without the trait the targets above do not fetch other packages and miss their modules. Reported
// here, because this target depends on no other, so its error comes first.
#if !(Host || History || Tool)
  #error("needs otolith's trait Host: leave out `traits: []`, or take the product OtolithCore")
#endif
