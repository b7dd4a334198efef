// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import History
package import Service

// The messages in `localizedDescription` for the errors of this module. The Runtime module contains
// the messages for its own errors and for the errors of the modules below it.

extension HistoryError: LocalizedError { public var errorDescription: String? { description } }
extension MalformedPacket: LocalizedError { package var errorDescription: String? { description } }
extension MovementError: LocalizedError { package var errorDescription: String? { description } }
extension RecorderError: LocalizedError { public var errorDescription: String? { description } }
extension SensorFailure: LocalizedError { package var errorDescription: String? { description } }
extension ServiceRefusal: LocalizedError { package var errorDescription: String? { description } }
extension SourceInUse: LocalizedError { public var errorDescription: String? { description } }
