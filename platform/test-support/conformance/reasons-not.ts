/** The reasons why a statement does not apply here, or is not kept. */
export const reasonsNot = {
  allQos: 'every QoS is taken, so no maximum is announced',
  clientIdRule: "a client id is the machine's code or begins with it and a colon",
  filterAlone: 'an ill-formed filter alone is refused, by its code in SUBACK: the telemetry goes on',
  noAuthentication: 'there is no enhanced authentication',
  noDiagnostics: 'the platform sends no Reason String and no User Property',
  noIdentifiers: 'CONNACK says that there are no subscription identifiers',
  noOutbound: 'the platform is no MQTT client',
  noRefusedQos2: 'no PUBREC refuses: a message that cannot be taken ends the connection',
  noSessions: 'a session ends with its connection, as CONNACK says',
  noShares: 'CONNACK says that there are no shared subscriptions',
  nothingForwarded: 'the platform stores messages of machines and does not forward them',
  nothingRetained: "only the platform's own STATE is retained, answered from memory",
  oneMachine: 'a machine is one client, whatever follows its code in the client id',
  retainRefused: 'CONNACK announces no retained messages, and a message to retain is refused',
  sendsNoAlias: 'the platform sends no topic alias',
  sendsNoQos2: 'the platform does not send at QoS 2',
  sendsOnce: 'a session ends with its connection, so messages are not sent again',
  takesNoAlias: 'no topic alias is allowed: CONNACK announces none',
  wildcards: 'wildcards are supported',
} as const

export type Reason = keyof typeof reasonsNot
