// SPDX-License-Identifier: Apache-2.0

/// What every `authorizationStatus` of the module answers.
package func currentAuthorization() -> CMAuthorizationStatus { .notDetermined }
