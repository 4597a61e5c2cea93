/** Why a statement has nothing to bind here, or is not kept. */
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
  nothingForwarded: 'what a machine publishes is stored, not forwarded: an endpoint, not a broker',
  nothingRetained: "nothing is retained but the platform's own STATE, answered from memory",
  oneMachine: 'a machine is one client, whatever follows its code in the client id',
  retainRefused: 'CONNACK says that nothing is retained, and a message to retain is refused',
  sendsNoAlias: 'the platform sends no topic alias',
  sendsNoQos2: 'the platform sends nothing at QoS 2',
  sendsOnce: 'a session ends with its connection, so that nothing is sent again',
  takesNoAlias: 'no topic alias is allowed: CONNACK announces none',
  wildcards: 'wildcards are supported',
} as const

export type Reason = keyof typeof reasonsNot
