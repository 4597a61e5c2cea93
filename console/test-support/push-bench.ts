import {
  ClientSchema,
  create,
  fromBinary,
  MachineStateSchema,
  PushSchema,
  Quality,
  type Scene,
  TagValuesSchema,
  toBinary,
} from '@busbar/contract/push'
import { vi } from 'vitest'
import { PushClient, type PushOptions, type PushSocket } from '../src/shared/api/push.ts'
import * as wire from '../src/shared/api/push-wire.ts'

/* A push connection for tests. */

/** A socket in the test's hands: it opens, breaks and speaks when told, and keeps what was sent as words. */
export class FakeSocket implements PushSocket {
  binaryType = ''
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event?: { readonly code: number; readonly reason?: string }) => void) | null = null
  readonly ticket: string
  readonly sent: string[] = []
  closed = false

  constructor(ticket: string) {
    this.ticket = ticket
  }

  send(data: Uint8Array): void {
    const { kind } = fromBinary(ClientSchema, data)
    if (kind.case === 'watch') this.sent.push(`watch ${kind.value.machineId} [${kind.value.tagIds}]`)
    else if (kind.case === 'unwatch') this.sent.push(`unwatch ${kind.value.machineId}`)
    else if (kind.case === 'resume') this.sent.push(`resume ${kind.value.id}`)
    else if (kind.case === 'attend') this.sent.push(`attend ${kind.value.sessionId}`)
    else if (kind.case === 'unattend') this.sent.push(`unattend ${kind.value.sessionId}`)
    else this.sent.push(String(kind.case))
  }

  close(): void {
    this.closed = true
  }

  open(): void {
    this.onopen?.()
  }

  breakLine(code = 1006, reason = ''): void {
    this.onclose?.({ code, reason })
  }

  push(scene: Scene, body: Uint8Array = new Uint8Array(), id = '0'): void {
    const frame = toBinary(PushSchema, create(PushSchema, { scene, body, id, at: '0' }))
    this.onmessage?.({ data: frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.byteLength) })
  }
}

export const machineState = (machineId: string, online: boolean) =>
  toBinary(MachineStateSchema, create(MachineStateSchema, { machineId, online, cloudService: true, at: '7' }))

export const values = (machineId: string, ...tags: (readonly [id: string, value: number])[]) =>
  toBinary(
    TagValuesSchema,
    create(TagValuesSchema, {
      machineId,
      values: tags.map(([tagId, value]) => ({
        tagId,
        value: { case: 'numberValue' as const, value },
        quality: Quality.GOOD,
        time: '5',
        receivedAt: '6',
      })),
    }),
  )

/** A push client on fake sockets and fake time. */
export interface PushBench {
  client: PushClient
  readonly sockets: FakeSocket[]
  /** The requests made while polling, as words; each answer is one value of tag 31, which counts. */
  readonly polled: string[]
  ticketsFail: boolean
  pollsFail: boolean
  isWritten: boolean
  /** Counts the times at which messages may have been missed. */
  missed: number
  /** The socket opened last. */
  socket(): FakeSocket
  /** Starts the client and opens its socket. */
  connect(): Promise<FakeSocket>
  /** A separate client on the same sockets. */
  createClient(options?: Partial<PushOptions>): PushClient
}

/** Lets a ticket arrive and gathered changes be sent. */
export const settle = () => vi.advanceTimersByTimeAsync(0)

/** Fakes the time and makes a client; `close` stops it and restores the time. */
export function openPushBench(): PushBench & { close(): void } {
  vi.useFakeTimers()
  let tickets = 0
  const bench: Omit<PushBench, 'client'> = {
    sockets: [],
    polled: [],
    ticketsFail: false,
    pollsFail: false,
    isWritten: false,
    missed: 0,
    socket() {
      const last = bench.sockets.at(-1)
      if (!last) throw new Error('no socket was opened')
      return last
    },
    async connect() {
      opened.client.start()
      await settle()
      bench.socket().open()
      return bench.socket()
    },
    createClient: (options = {}) =>
      new PushClient({
        createTicket: async () => {
          if (bench.ticketsFail) throw new Error('no ticket')
          return `ticket-${++tickets}`
        },
        openSocket: (ticket) => {
          const socket = new FakeSocket(ticket)
          bench.sockets.push(socket)
          return socket
        },
        loadWire: async () => wire,
        listLatest: async (machineId, tagIds) => {
          bench.polled.push(`${machineId} [${tagIds}]`)
          if (bench.pollsFail) throw new Error('no answer')
          return [{ tagId: 31, value: bench.polled.length, quality: 'good', time: 5, receivedAt: 6 }]
        },
        findResult: async (machineId, commandId) =>
          bench.isWritten
            ? { commandId, machineId, tagId: 31, state: 'confirmed', kept: undefined, reason: '' }
            : undefined,
        random: () => 0,
        ...options,
      }),
  }
  const opened = Object.assign(bench, {
    client: bench.createClient(),
    close() {
      opened.client.stop()
      vi.useRealTimers()
    },
  })
  opened.client.on('missed', () => bench.missed++)
  return opened
}
