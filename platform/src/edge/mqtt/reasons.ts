/** The MQTT 5 reason codes that the platform sends (MQTT 5.0, 2.4). */
export const reason = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noSubscriptionExisted: 0x11,
  malformedPacket: 0x81,
  protocolError: 0x82,
  unsupportedProtocolVersion: 0x84,
  clientIdentifierNotValid: 0x85,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdentifierNotFound: 0x92,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  retainNotSupported: 0x9a,
  sharedSubscriptionsNotSupported: 0x9e,
  connectionRateExceeded: 0x9f,
  subscriptionIdentifiersNotSupported: 0xa1,
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

/** SUBACK's one word for a refusal in MQTT 3.1.1 (3.9.3). */
export const subackFailure = 0x80

/** The reasons that a client may give to leave (MQTT 5.0, table 3-10). */
export const clientDisconnectReasons: ReadonlySet<number> = new Set([
  0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
])

/** The reasons of a PUBACK (MQTT 5.0, table 3-4) and of a PUBREL (3.6.2.1). */
export const pubackReasons: ReadonlySet<number> = new Set([
  0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99,
])
export const pubrelReasons: ReadonlySet<number> = new Set([0x00, 0x92])
