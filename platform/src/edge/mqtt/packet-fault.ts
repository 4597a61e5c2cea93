import { type ReasonCode, reason } from './reasons.ts'

/** What a client sent is no MQTT, or not allowed now: the connection ends with this reason (MQTT 5.0, 4.13). */
export class PacketFault extends Error {
  readonly code: ReasonCode

  constructor(code: ReasonCode, why: string) {
    super(why)
    this.code = code
  }
}

/** A packet that cannot be read as the specification says. */
export function malformed(why: string): PacketFault {
  return new PacketFault(reason.malformedPacket, why)
}

/** A packet that can be read, and says what the protocol does not allow. */
export function protocolError(why: string): PacketFault {
  return new PacketFault(reason.protocolError, why)
}
