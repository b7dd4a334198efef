// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The kernel's use of huge pages for this process's memory.
public enum HugePages {
  /// Disables huge pages for this process (PR_SET_THP_DISABLE, prctl(2)): a process that runs for
  /// months must not grow by two megabytes for each page that it touches. Returns true on success.
  @discardableResult
  public static func refuse() -> Bool { otolith_refuse_huge_pages() == 0 }
}
