import type { Sent } from '../ingest/known-messages.ts'
import { PacketBytes } from './packet-bytes.ts'
import { malformed, PacketFault, protocolError } from './packet-fault.ts'
import { readProperties } from './packet-properties.ts'
import { bodyStart } from './packet-reader.ts'
import { reason } from './reasons.ts'
import { isTopicName } from './topic-syntax.ts'

/** A PUBLISH taken apart; the payload shares memory with the packet. */
export interface Publish extends Sent {
  readonly topic: string
  readonly payload: Buffer
}

/** A topic that was read and checked before, with its bytes. */
export interface KnownTopic {
  readonly name: string
  readonly bytes: Buffer
}

const dupFlag = 0x08
const retainFlag = 0x01

/**
 * Reads a PUBLISH (MQTT 3.3) by hand: it is the one packet that comes by the hundred thousand. A topic whose bytes are
 * known is not read again. Whether another one is a topic's name is left to the caller.
 */
export function readPublish(packet: Buffer, version: number, known: KnownTopic | undefined): Publish {
  const flags = packet[0] ?? 0
  const qos = (flags >> 1) & 3
  if (qos === 3) throw malformed('a PUBLISH of QoS 3')
  const isDup = (flags & dupFlag) !== 0
  if (qos === 0 && isDup) throw malformed('a PUBLISH of QoS 0 that comes again')
  const start = bodyStart(packet)
  if (start + 2 > packet.length) throw malformed('a PUBLISH without a topic')
  const topicEnd = start + 2 + packet.readUInt16BE(start)
  const idEnd = qos === 0 ? topicEnd : topicEnd + 2
  if (idEnd > packet.length) throw malformed('a topic beyond the end')
  const topic =
    known && holds(packet, start + 2, topicEnd, known) ? known.name : new PacketBytes(packet, start).text()
  const packetId = qos === 0 ? 0 : packet.readUInt16BE(topicEnd)
  if (qos > 0 && packetId === 0) throw protocolError('packet id 0')
  if (version !== 5) return { topic, qos, packetId, isDup, payload: packet.subarray(idEnd) }
  if ((flags & retainFlag) !== 0) {
    throw new PacketFault(reason.retainNotSupported, 'a message to retain, though nothing is')
  }
  if (packet[idEnd] === 0 && topic !== '') {
    return { topic, qos, packetId, isDup, payload: packet.subarray(idEnd + 1) }
  }
  const bytes = new PacketBytes(packet, idEnd)
  checkProperties(bytes, topic)
  return { topic, qos, packetId, isDup, payload: bytes.rest() }
}

/** The topic of a PUBLISH that is not read yet; empty if the packet is malformed. */
export function topicOf(packet: Buffer): string {
  const start = bodyStart(packet)
  if (start + 2 > packet.length) return ''
  return packet.toString('utf8', start + 2, start + 2 + packet.readUInt16BE(start))
}

/** Byte by byte: for lengths as topics have them this takes a fifth of the time of any call into the runtime. */
function holds(packet: Buffer, start: number, end: number, { bytes }: KnownTopic): boolean {
  const { length } = bytes
  if (end - start !== length) return false
  for (let index = 0; index < length; index++) if (packet[start + index] !== bytes[index]) return false
  return true
}

/** A machine's messages are not forwarded to other clients, so properties matter only if they are wrong. */
function checkProperties(bytes: PacketBytes, topic: string): void {
  const { topicAlias, subscriptionIdentifier, responseTopic } = readProperties(bytes, 'publish')
  if (topicAlias !== undefined) {
    throw new PacketFault(reason.topicAliasInvalid, 'a topic alias, though none is allowed')
  }
  if (topic === '') throw protocolError('a PUBLISH without a topic')
  if (subscriptionIdentifier !== undefined) throw protocolError('a PUBLISH with a subscription identifier')
  if (responseTopic !== undefined && !isTopicName(responseTopic)) {
    throw protocolError('a response topic that is no topic name')
  }
}
