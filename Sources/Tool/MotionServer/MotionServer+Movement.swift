// SPDX-License-Identifier: Apache-2.0
internal import Service

/// The handling of the clients' queries about movement.
extension MotionServer {
  /// Passes a query about movement to the thread that answers it.
  func ask(_ question: ServiceQuestion, of connection: Connection, serial: UInt32) {
    guard let movement else {
      return refuse(connection, serial, "this service does not count movement")
    }
    if answers == nil { answers = try? AnswerThread(movement, answerEvent: updateEvent) }
    guard let answers else {
      return refuse(connection, serial, "the otolith service has no threads left")
    }
    var question = question
    if case .movement(let counts) = question {
      connection.countsMovement = counts
      // Counting of movement continues while any client requests it.
      isCounting = connections.contains { $0.countsMovement && !$0.isOver }
      question = .movement(counts: isCounting)
    }
    connection.isAsking = true
    answers.ask(.init(client: connection.client, serial: serial, question: question))
  }

  private func refuse(_ connection: Connection, _ serial: UInt32, _ sentence: String) {
    connection.send(
      .answer(.refused(ServiceRefusal(.unavailable, sentence)), serial: serial))
  }

  /// Sends the completed answers. An answer for a client that has disconnected is dropped.
  func deliverAnswers() {
    for query in answers?.take() ?? [] {
      guard let connection = connections.first(where: { $0.client === query.client }) else {
        continue
      }
      connection.isAsking = false
      connection.send(.answer(query.answer, serial: query.serial))
    }
  }

  /// Ends the counting of movement if the last client that requested it has disconnected.
  func countForProgramsLeft() {
    guard isCounting, !connections.contains(where: { $0.countsMovement && !$0.isOver }) else {
      return
    }
    isCounting = false
    answers?.ask(.init(client: nil, serial: 0, question: .movement(counts: false)))
  }

  /// Ends the thread that answers queries, and stops the counting of movement.
  func endAnswers() {
    answers?.end()
    answers = nil
    if isCounting { _ = movement?(.movement(counts: false)) }
    isCounting = false
  }
}
