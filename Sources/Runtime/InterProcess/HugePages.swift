// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The kernel's use of huge pages for this process's memory.
public enum HugePages {
  /// Lets the kernel give this process no huge pages from now on (PR_SET_THP_DISABLE, prctl(2)): a
  /// process that lives for months must not grow by two megabytes for each that it touches. Returns
  /// whether the kernel agrees.
  @discardableResult
  public static func refuse() -> Bool { otolith_refuse_huge_pages() == 0 }
}
