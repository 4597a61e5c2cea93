import { randomBytes } from 'node:crypto'
import { gatewayLimits } from '../limits.ts'
import type { MachineLogin } from '../login/login.ts'
import type { WantedSession } from '../projects/project-door.ts'
import { formatPacket } from './packet-codec.ts'
import { NotItsOwn, PacketFault } from './packet-fault.ts'
import type { Connect, ProtocolVersion } from './packet-parser.ts'
import { type ReasonCode, reason, returnCodes } from './reasons.ts'
import { whyNoPublish } from './topic-rights.ts'
import { isTopicName } from './topic-syntax.ts'

const shownCharactersMax = 64
const clientIdCharactersMax = 128
/** A project's session is kept this long without a connection (rules/projects.md: our MQTT endpoint). */
const sessionSMax = 72 * 3_600

/** Refuses CONNECT options that no client gets. */
export function checkConnect(
  { clientId, isClean, will, properties }: Connect,
  version: ProtocolVersion,
): void {
  if (properties.authenticationMethod !== undefined) {
    throw new PacketFault(reason.badAuthenticationMethod, 'enhanced authentication')
  }
  // MQTT-3.1.3-8 of 3.1.1: no session can be kept for a client without a name. MQTT 5 names it and goes on.
  if (clientId === '' && !isClean && version !== 5) {
    throw new PacketFault(reason.clientIdentifierNotValid, 'a kept session without a client id')
  }
  if (!will) return
  if (!isTopicName(will.topic)) throw new PacketFault(reason.topicNameInvalid, "not a will's topic")
  if (will.isRetained && version === 5) {
    throw new PacketFault(reason.retainNotSupported, 'a will to retain, though nothing is')
  }
}

/**
 * The client id of a machine that is logged in: its own, or one made for it. Throws when it claims another, unless the
 * machine takes other topics: then it is named as its maker made it (rules/wire.md: sign-in of a machine).
 */
export function identify({ clientId, will }: Connect, { code, otherTopics }: MachineLogin): string {
  if (clientId !== '' && clientId !== code && !clientId.startsWith(`${code}:`) && !otherTopics) {
    const why = `the client id "${clientId.slice(0, shownCharactersMax)}" does not begin with the machine code`
    throw new NotItsOwn(reason.clientIdentifierNotValid, why)
  }
  const why = will && whyNoPublish(code, will.topic, otherTopics)
  if (will && why !== undefined)
    throw new NotItsOwn(reason.notAuthorized, `a will: ${why}`, will.topic, will.payload)
  return clientId || `${code}:${randomBytes(8).toString('hex')}`
}

/**
 * The session that a project's client asks for. Throws for a will, which would be a message of a project that is not
 * there, and for a client id that cannot be kept.
 */
export function wantedSession(
  { clientId, isClean, will, properties }: Connect,
  version: ProtocolVersion,
): WantedSession {
  if (will) throw new NotItsOwn(reason.notAuthorized, 'a project has no will', will.topic, will.payload)
  if (clientId.length > clientIdCharactersMax) {
    const why = `a client id of more than ${clientIdCharactersMax} characters`
    throw new NotItsOwn(reason.clientIdentifierNotValid, why)
  }
  const askedS = version === 5 ? (properties.sessionExpiryInterval ?? 0) : isClean ? 0 : sessionSMax
  return {
    clientId: clientId || randomBytes(8).toString('hex'),
    keptS: Math.min(askedS, sessionSMax),
    isFresh: isClean,
  }
}

/** The CONNACK of a login (MQTT 3.2). */
export interface Welcome {
  /** Where the client had none. */
  readonly assignedId: string | undefined
  /** A session of before goes on. */
  readonly sessionPresent: boolean
  /** How long the session outlives the connection, whatever the client requested. */
  readonly keptS: number
}

export function formatWelcome(
  version: ProtocolVersion,
  { assignedId, sessionPresent, keptS }: Welcome,
): Buffer {
  if (version !== 5) return formatPacket({ cmd: 'connack', returnCode: 0, sessionPresent }, version)
  const properties = {
    sessionExpiryInterval: keptS,
    receiveMaximum: gatewayLimits.inflightMax,
    maximumPacketSize: gatewayLimits.packetBytesMax,
    retainAvailable: false,
    subscriptionIdentifiersAvailable: false,
    sharedSubscriptionAvailable: false,
    ...(assignedId === undefined ? {} : { assignedClientIdentifier: assignedId }),
  }
  return formatPacket({ cmd: 'connack', reasonCode: 0, sessionPresent, properties }, version)
}

/**
 * The refusing CONNACK; undefined if MQTT 3.1.1 has no code for it and sends none (MQTT-3.2.2-6). `told` is the reason in
 * words, for MQTT 5.
 */
export function formatRefusal(version: ProtocolVersion, code: ReasonCode, told?: string): Buffer | undefined {
  if (version === 5)
    return formatPacket(
      { cmd: 'connack', reasonCode: code, sessionPresent: false, ...propertiesOf(told) },
      version,
    )
  const returnCode = returnCodes[code]
  return returnCode === undefined
    ? undefined
    : formatPacket({ cmd: 'connack', returnCode, sessionPresent: false }, version)
}

/** The property with the reason in words (MQTT 5.0, 3.2.2.3.9 and 3.14.2.2.3). */
export function propertiesOf(told: string | undefined): { readonly properties?: { reasonString: string } } {
  return told === undefined ? {} : { properties: { reasonString: told } }
}
