// SPDX-License-Identifier: Apache-2.0
// A C target needs a source; all that this one is for stands in include/module.modulemap.
