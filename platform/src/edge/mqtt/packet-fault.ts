import { type ReasonCode, reason } from './reasons.ts'

/**
 * A client sent invalid MQTT, or a packet that is not allowed now: the connection ends with this reason (MQTT 5.0,
 * 4.13).
 */
export class PacketFault extends Error {
  readonly code: ReasonCode

  constructor(code: ReasonCode, why: string) {
    super(why)
    this.code = code
  }
}

/** A machine that proved who it is used a topic or a client id that is not its own. Its keys and MQTT 5 clients are told. */
export class NotItsOwn extends PacketFault {
  /** Empty for a client id. */
  readonly topic: string
  readonly payload: Buffer

  constructor(code: ReasonCode, why: string, topic = '', payload: Buffer = Buffer.alloc(0)) {
    super(code, why)
    this.topic = topic
    this.payload = payload
  }
}

/** A packet that does not match the specification. */
export function malformed(why: string): PacketFault {
  return new PacketFault(reason.malformedPacket, why)
}

/** A readable packet whose contents the protocol does not allow. */
export function protocolError(why: string): PacketFault {
  return new PacketFault(reason.protocolError, why)
}
