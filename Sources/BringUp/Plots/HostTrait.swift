// SPDX-License-Identifier: Apache-2.0

// Without the trait the targets above fetch no other package and miss their modules. Said here,
// since this target waits for no other one: its error comes first.
#if !(Host || History || Tool)
  #error("needs otolith's trait Host: leave out `traits: []`, or take the product OtolithCore")
#endif
