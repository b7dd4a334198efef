// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension BenchError: LocalizedError { package var errorDescription: String? { description } }
extension WiringError: LocalizedError { package var errorDescription: String? { description } }
