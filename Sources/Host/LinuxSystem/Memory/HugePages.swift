// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The kernel's use of huge pages for the memory of this process.
public enum HugePages {
  /// Disables huge pages for this process (PR_SET_THP_DISABLE, prctl(2)). Otherwise a process that
  /// runs for months could grow by two megabytes for each page that it touches. Returns true on
  /// success.
  @discardableResult
  public static func refuse() -> Bool { otolith_refuse_huge_pages() == 0 }
}
