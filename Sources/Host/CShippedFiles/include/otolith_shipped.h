// SPDX-License-Identifier: Apache-2.0
// Files that are embedded in the program. They are embedded in C, whose compiler copies their
// bytes. As array literals in Swift, 118 kB of these files took 16 s to compile.
#ifndef OTOLITH_SHIPPED_H
#define OTOLITH_SHIPPED_H

/// A file of text.
struct otolith_shipped_file {
  /// The name of the file without the folder; NULL after the last file.
  const char *_Nullable name;
  /// The bytes of the file, with a zero after the last byte.
  const char *_Nullable text;
};

/// Returns the files of the folder `Boards`, in the order of their names.
const struct otolith_shipped_file *_Nonnull otolith_shipped_boards(void);

/// Returns the text of `simulated.yaml`.
const char *_Nonnull otolith_shipped_simulated_board(void);

/// Returns the files of the folder `Page`.
const struct otolith_shipped_file *_Nonnull otolith_shipped_page(void);

#endif
