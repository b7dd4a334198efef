// SPDX-License-Identifier: Apache-2.0
#if !Tool
  extension YAMLSource {
    mutating func composed() -> YAMLTree? {
      var plain = PlainYAML(text)
      var tree: YAMLTree?
      var faults: [PlainYAML.Fault] = []
      do throws(PlainYAML.Fault) { tree = try plain.tree() } catch { faults = [error] }
      for fault in plain.repetitions + faults {
        report(fault.position, fault.found, hint: fault.hint)
      }
      return tree
    }
  }
#endif
