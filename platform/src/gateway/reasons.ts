/** Why the platform ends a connection, with MQTT 5's reason codes (MQTT 5.0, 2.4). */
export const reason = {
  malformedPacket: 0x81,
  protocolError: 0x82,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicNameInvalid: 0x90,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  connectionRateExceeded: 0x9f,
  clientIdentifierNotValid: 0x85,
  unsupportedProtocolVersion: 0x84,
} as const

export type ReasonCode = (typeof reason)[keyof typeof reason]

/** CONNACK's return codes of MQTT 3.1.1 (3.2.2.3) for the same refusals. */
export const returnCodes: Partial<Record<ReasonCode, number>> = {
  [reason.unsupportedProtocolVersion]: 1,
  [reason.clientIdentifierNotValid]: 2,
  [reason.serverBusy]: 3,
  [reason.serverShuttingDown]: 3,
  [reason.connectionRateExceeded]: 3,
  [reason.badUserNameOrPassword]: 4,
  [reason.badAuthenticationMethod]: 5,
  [reason.notAuthorized]: 5,
}

/** SUBACK's codes: a filter that is refused, and shared subscriptions, which there are none. */
export const subackRefused = {
  v3: 0x80,
  notAuthorized: 0x87,
  quotaExceeded: 0x97,
  sharedNotSupported: 0x9e,
} as const
