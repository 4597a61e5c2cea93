import type { tunnelTarget } from '@busbar/link'
import {
  createMachine,
  dialTestTunnel,
  enterVisit,
  type TestMachine,
  type VisitClient,
} from '@busbar/testkit'
import type { WebSocket } from 'ws'
import type { Rig } from './rig.ts'

/** RFC 9113, 3.4: the first bytes of a client. */
const prefaceBytes = 24
const frameHeadBytes = 9
/** Only the stream of a request matters; the first one requests the agent's offer. */
const infoStreamId = 1
const info = JSON.stringify({
  version: 'raw',
  targets: [{ name: 'page' satisfies typeof tunnelTarget.page, readOnly: true }],
})

/** RFC 9113, 6. */
export const frameType = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const
export const flag = { ack: 1, endStream: 1, endHeaders: 4 } as const

export type Field = readonly [name: string, value: string]

/** The agent's end of a tunnel that writes its frames by hand: Node's HTTP/2 would not send what these tests send. */
export class RawAgent {
  /** The reaction to a request. */
  answer: (streamId: number) => void = (streamId) => this.answerPage(streamId)
  readonly closed: Promise<void>
  readonly #ws: WebSocket
  #unread = Buffer.alloc(0)
  #skip = prefaceBytes

  constructor(ws: WebSocket) {
    this.#ws = ws
    this.closed = new Promise((resolve) => ws.once('close', () => resolve()))
    ws.on('error', () => undefined)
    ws.once('open', () => this.frame(frameType.settings, 0, 0))
    ws.on('message', (data: Buffer) => this.#received(data))
  }

  frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): void {
    this.send(encodeFrame(type, flags, streamId, payload))
  }

  send(bytes: Buffer): void {
    this.#ws.send(bytes)
  }

  headers(streamId: number, fields: readonly Field[], flags: number = flag.endHeaders): void {
    this.frame(frameType.headers, flags, streamId, encodeFields(fields))
  }

  data(streamId: number, text: string | Buffer, flags: number = flag.endStream): void {
    this.frame(frameType.data, flags, streamId, Buffer.from(text))
  }

  answerPage(streamId: number, body = 'the page'): void {
    this.headers(streamId, [[':status', '200']])
    this.data(streamId, body)
  }

  close(): void {
    this.#ws.terminate()
  }

  #received(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes])
    if (this.#skip) {
      if (this.#unread.length < this.#skip) return
      this.#unread = this.#unread.subarray(this.#skip)
      this.#skip = 0
    }
    while (this.#unread.length >= frameHeadBytes) {
      const end = frameHeadBytes + this.#unread.readUIntBE(0, 3)
      if (this.#unread.length < end) return
      const [type, flags, streamId] = [this.#unread[3], this.#unread[4] ?? 0, this.#unread.readUInt32BE(5)]
      const payload = Buffer.from(this.#unread.subarray(frameHeadBytes, end))
      this.#unread = this.#unread.subarray(end)
      if (type === frameType.settings && !(flags & flag.ack)) this.frame(frameType.settings, flag.ack, 0)
      if (type === frameType.ping && !(flags & flag.ack)) this.frame(frameType.ping, flag.ack, 0, payload)
      if (type === frameType.headers && streamId === infoStreamId) this.answerPage(streamId, info)
      else if (type === frameType.headers) this.answer(streamId)
    }
  }
}

export function encodeFrame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

/** Literal fields that are not indexed, their names written out (RFC 7541, 6.2.2), so that any bytes can be sent. */
export function encodeFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), encodeText(name), encodeText(value)]))
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  return Buffer.concat([encodeInteger(bytes.length, 7), bytes])
}

/** RFC 7541, 5.1. */
function encodeInteger(value: number, prefixBits: number): Buffer {
  const most = 2 ** prefixBits - 1
  if (value < most) return Buffer.of(value)
  const bytes = [most]
  let rest = value - most
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** A machine whose agent writes its frames by hand, with the victim inside. */
export interface RawStation {
  readonly machine: TestMachine
  readonly client: VisitClient
  /** Opens the tunnel anew: most attacks end the one they go through. */
  connect(): Promise<RawAgent>
}

export async function openRawStation(rig: Rig): Promise<RawStation> {
  const machine = await createMachine(rig.site.db, { owner: rig.victim.userId })
  const connect = () => openRawAgent(rig, machine)
  await connect()
  return { machine, client: await enterVisit(rig.site, rig.victim, machine), connect }
}

async function openRawAgent(rig: Rig, machine: TestMachine): Promise<RawAgent> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = rig.site.platform.tunnels.onChange((machineId, tunnel) => {
    if (machineId === machine.machineId && tunnel) resolve()
  })
  const ws = dialTestTunnel(rig.site, machine)
  ws.once('close', () => reject(new Error('the tunnel closed before it was open')))
  const agent = new RawAgent(ws)
  await promise.finally(stop)
  return agent
}
