// SPDX-License-Identifier: Apache-2.0
import SourceReading
import ArgumentParser

extension FrameOption: ExpressibleByArgument {}
