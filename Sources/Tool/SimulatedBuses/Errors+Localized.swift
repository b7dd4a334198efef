// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension BenchError: LocalizedError { public var errorDescription: String? { description } }
extension WiringError: LocalizedError { public var errorDescription: String? { description } }
