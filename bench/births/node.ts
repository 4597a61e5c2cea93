import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  attributePrefix,
  encodeSparkplugPayload,
  propertyKey,
  protocolMetric,
  SparkplugDatatype,
  type SparkplugMetric,
} from '@busbar/link'
import mqtt from 'mqtt-packet'
import { codeOf, machineSecret } from '../ingest/messages.ts'
import { serve } from '../src/rpc.ts'

/** The difference between the births of a stretch. */
export type BirthKind = 'same' | 'redefined' | 'new'

export interface BirthOrder {
  readonly port: number
  readonly kind: BirthKind
  /** The machine's number; `new` counts on from it, because a machine has 5,000 tags at most. */
  readonly machine: number
  readonly tags: number
  readonly ms: number
}

/** Machines that are connected at the same time; each has `tags` tags and some attributes. */
export interface GatherOrder {
  readonly port: number
  readonly machines: number
  readonly tags: number
}

/** The births of a stretch and how they ended. */
export interface BirthResult {
  readonly births: number
  /** From each birth to its acknowledgement. */
  readonly tookMs: readonly number[]
}

const intervalMs = 1_000
/** Machines that sign in and give birth at the same time, and the addresses that all of them share. */
const gatherAtOnce = 400
const sites = 200
const attributes = ['vendor', 'model', 'serialNumber', 'firmware', 'hardware']

/** An edge node without a will, that only gives births. */
class Node {
  readonly code: string
  readonly #socket: Socket
  readonly #waiting: ((packet: mqtt.Packet) => void)[] = []

  constructor(port: number, code: string, localAddress = '127.0.0.1') {
    this.code = code
    this.#socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true })
    // The other end of a killed node resets the connection.
    this.#socket.on('error', () => {})
    const parser = mqtt.parser()
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connack' || packet.cmd === 'puback') this.#waiting.shift()?.(packet)
    })
    this.#socket.on('data', (bytes: Buffer) => parser.parse(bytes))
  }

  async signIn(): Promise<void> {
    const packet = await this.#send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: this.code,
      keepalive: 600,
      username: this.code,
      password: Buffer.from(machineSecret),
    })
    if (packet.cmd !== 'connack' || packet.returnCode !== 0) throw new Error(`${this.code} was refused`)
  }

  async giveBirth(payload: Uint8Array): Promise<void> {
    await this.#send({
      cmd: 'publish',
      topic: `spBv1.0/bench/NBIRTH/${this.code}`,
      payload: Buffer.from(payload),
      qos: 1,
      messageId: 1,
      retain: false,
      dup: false,
    })
  }

  end(): void {
    this.#socket.destroy()
  }

  #send(packet: mqtt.Packet): Promise<mqtt.Packet> {
    const { promise, resolve } = Promise.withResolvers<mqtt.Packet>()
    this.#waiting.push(resolve)
    this.#socket.write(mqtt.generate(packet))
    return promise
  }
}

function encodeBirth(tags: number, unit: string, code?: string): Uint8Array {
  const timestamp = Date.now()
  const engUnit = { type: SparkplugDatatype.string, raw: { kind: 'string' as const, value: unit } }
  const metrics = Array.from({ length: tags }, (_, place): SparkplugMetric => {
    return {
      name: `Line ${place % 20}/Sensor ${place}`,
      alias: place + 1,
      timestamp,
      datatype: SparkplugDatatype.double,
      properties: { [propertyKey.engUnit]: engUnit },
      raw: { kind: 'double', value: Math.random() * 100 },
    }
  })
  const told = (code === undefined ? [] : attributes).map((name): SparkplugMetric => {
    const value = `${name} of ${code}`
    return {
      name: `${attributePrefix}${name}`,
      timestamp,
      datatype: SparkplugDatatype.string,
      raw: { kind: 'string', value },
    }
  })
  const bdSeq = { name: protocolMetric.bdSeq, datatype: SparkplugDatatype.int64, timestamp }
  return encodeSparkplugPayload({
    timestamp,
    seq: 0,
    metrics: [{ ...bdSeq, raw: { kind: 'long', value: 0n } }, ...told, ...metrics],
  })
}

let gathered: Node[] = []

serve({
  /**
   * All machines sign in and give their birth, some at a time, and stay; those of a call before are gone by then.
   * Returns the milliseconds until the last birth was acknowledged.
   */
  async gather({ port, machines, tags }: GatherOrder): Promise<number> {
    for (const node of gathered) node.end()
    gathered = []
    let next = 0
    const startedAt = performance.now()
    const giveNext = async () => {
      for (let number = next++; number < machines; number = next++) {
        const node = new Node(port, codeOf(number), `127.1.${number % sites}.1`)
        gathered.push(node)
        await node.signIn()
        await node.giveBirth(encodeBirth(tags, 'mm', node.code))
      }
    }
    await Promise.all(Array.from({ length: gatherAtOnce }, giveNext))
    return performance.now() - startedAt
  },

  /** A birth a second; if the last one is not acknowledged by then, as soon as it is. */
  async giveBirths({ port, kind, machine, tags, ms }: BirthOrder): Promise<BirthResult> {
    const tookMs: number[] = []
    let node: Node | undefined
    const beganAt = performance.now()
    for (let birth = 0; performance.now() - beganAt < ms; birth++) {
      if (!node || kind === 'new') {
        node?.end()
        node = new Node(port, codeOf(machine + (kind === 'new' ? birth : 0)))
        await node.signIn()
      }
      const payload = encodeBirth(tags, kind === 'redefined' && birth % 2 === 1 ? 'inch' : 'mm')
      const sentAt = performance.now()
      await node.giveBirth(payload)
      tookMs.push(performance.now() - sentAt)
      const dueAt = beganAt + (birth + 1) * intervalMs
      await sleep(Math.max(0, dueAt - performance.now()))
    }
    node?.end()
    return { births: tookMs.length, tookMs }
  },
})
