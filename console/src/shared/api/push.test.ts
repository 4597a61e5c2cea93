import {
  ClientSchema,
  create,
  fromBinary,
  MachineStateSchema,
  PushSchema,
  Quality,
  Scene,
  TagValuesSchema,
  toBinary,
  UserLogoutSchema,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PushClient, type PushSocket } from './push.ts'
import * as wire from './push-wire.ts'

/** A socket in the test's hands: it opens, breaks and speaks when told, and keeps what was sent as words. */
class FakeSocket implements PushSocket {
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

const machineState = (machineId: string, online: boolean) =>
  toBinary(MachineStateSchema, create(MachineStateSchema, { machineId, online, cloudService: true, at: '7' }))

const values = (machineId: string, ...tags: (readonly [id: string, value: number])[]) =>
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

let sockets: FakeSocket[]
let client: PushClient
let ticketsFail: boolean
/** The requests made while polling, as words; each answer is one value of tag 31, which counts. */
let polled: string[]
let pollsFail: boolean
let missed: number
let isWritten: boolean

const socket = () => {
  const last = sockets.at(-1)
  if (!last) throw new Error('no socket was opened')
  return last
}

/** Lets a ticket arrive and gathered changes be sent. */
const settle = () => vi.advanceTimersByTimeAsync(0)

async function connect(): Promise<FakeSocket> {
  client.start()
  await settle()
  socket().open()
  return socket()
}

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  ticketsFail = false
  polled = []
  pollsFail = false
  missed = 0
  isWritten = false
  let tickets = 0
  client = new PushClient({
    createTicket: async () => {
      if (ticketsFail) throw new Error('no ticket')
      return `ticket-${++tickets}`
    },
    openSocket: (ticket) => {
      const opened = new FakeSocket(ticket)
      sockets.push(opened)
      return opened
    },
    loadWire: async () => wire,
    listLatest: async (machineId, tagIds) => {
      polled.push(`${machineId} [${tagIds}]`)
      if (pollsFail) throw new Error('no answer')
      return [{ tagId: 31, value: polled.length, quality: 'good', time: 5, receivedAt: 6 }]
    },
    findResult: async (machineId, commandId) =>
      isWritten
        ? { commandId, machineId, tagId: 31, state: 'confirmed', kept: undefined, reason: '' }
        : undefined,
    random: () => 0,
  })
  client.onMissed(() => missed++)
})

afterEach(() => {
  client.stop()
  vi.useRealTimers()
})

describe('the push connection of a tab', () => {
  it('opens with a ticket and says that it is alive every 15 s', async () => {
    const line = await connect()
    expect(line.ticket).toBe('ticket-1')
    expect(line.sent).toEqual(['heartbeat'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(line.sent).toEqual(['heartbeat', 'heartbeat', 'heartbeat'])
  })

  it('measures the way there and back by the answer to its heartbeat', async () => {
    const line = await connect()
    expect(client.state.get()).toEqual({ connection: 'live', latencyMs: null, heardAt: null })
    await vi.advanceTimersByTimeAsync(38)
    line.push(Scene.NONE)
    expect(client.state.get()).toEqual({ connection: 'live', latencyMs: 38, heardAt: null })
  })

  it('comes back 5 s after a broken line, with a fresh ticket', async () => {
    ;(await connect()).breakLine()
    expect(client.state.get().connection).toBe('lost')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(2)
    expect(socket().ticket).toBe('ticket-2')
  })

  it('adds jitter, so that many browsers do not come back in one second', async () => {
    client = new PushClient({
      createTicket: async () => 'ticket',
      openSocket: (ticket) => {
        sockets.push(new FakeSocket(ticket))
        return socket()
      },
      loadWire: async () => wire,
      listLatest: async () => [],
      findResult: async () => undefined,
      random: () => 0.5,
    })
    ;(await connect()).breakLine()
    await vi.advanceTimersByTimeAsync(5_999)
    expect(sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(2)
  })

  it('goes on trying when there is no ticket to be had', async () => {
    ticketsFail = true
    client.start()
    await settle()
    expect(client.state.get().connection).toBe('lost')
    ticketsFail = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sockets).toHaveLength(1)
  })

  it('takes no ticket while it could not use one', async () => {
    let tickets = 0
    let isThere = false
    client = new PushClient({
      createTicket: async () => `ticket-${++tickets}`,
      openSocket: (ticket) => {
        sockets.push(new FakeSocket(ticket))
        return socket()
      },
      loadWire: async () => {
        if (!isThere) throw new TypeError('Failed to fetch dynamically imported module')
        return wire
      },
      listLatest: async () => [],
      findResult: async () => undefined,
      random: () => 0,
    })
    client.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([tickets, client.state.get().connection]).toEqual([0, 'lost'])
    isThere = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(socket().ticket).toBe('ticket-1')
  })

  it('resumes from the last event before it asks for what is watched', async () => {
    client.watch(3, [31], () => {})
    const first = await connect()
    first.push(Scene.MACHINE_STATE, machineState('3', true), '41')
    first.push(Scene.MACHINE_STATE, machineState('3', false), '42')
    first.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    socket().open()
    expect(socket().sent).toEqual(['resume 42', 'watch 3 [31]', 'heartbeat'])
  })

  it('keeps no place to resume from for the next session', async () => {
    ;(await connect()).push(Scene.MACHINE_STATE, machineState('3', true), '41')
    client.stop()
    expect((await connect()).sent).toEqual(['heartbeat'])
  })

  it('stays closed after it closed by itself', async () => {
    const line = await connect()
    client.stop()
    expect(line.closed).toBe(true)
    line.breakLine()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sockets).toHaveLength(1)
  })

  it('gives up a line on which heartbeats were answered and then nothing came for 45 s', async () => {
    const line = await connect()
    line.push(Scene.NONE)
    await vi.advanceTimersByTimeAsync(45_000)
    expect(line.closed).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(line.closed).toBe(true)
    expect(client.state.get().connection).toBe('lost')
  })

  it('shows as old what it shows when a heartbeat gets no answer for 5 s, and as live once something comes', async () => {
    const line = await connect()
    line.push(Scene.NONE)
    const heardAt = Date.now()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(client.state.get().connection).toBe('live')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(client.state.get()).toEqual({ connection: 'lost', latencyMs: null, heardAt })
    expect([line.closed, sockets.length]).toEqual([false, 1])
    line.push(Scene.NONE)
    expect(client.state.get().connection).toBe('live')
  })

  it('tells a session that ran out from one that somebody ended, and asks again where only the ticket was refused', async () => {
    const heard: string[] = []
    client.onLogout(({ reason }) => heard.push(reason))
    ;(await connect()).breakLine(4401, 'unauthorized')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([heard, sockets.length]).toEqual([[], 2])
    sockets.at(-1)?.breakLine(4401, 'ended')
    expect(heard).toEqual(['ranOut'])
  })

  it('ends with a session that was signed out in another tab, and does not come back', async () => {
    const heard: string[] = []
    const line = await connect()
    client.onLogout(({ reason }) => heard.push(reason))
    line.breakLine(4401)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([heard, sockets.length]).toEqual([['signedOut'], 1])
  })

  it('tells why the session ended after closing the line', async () => {
    const line = await connect()
    const heard: unknown[] = []
    client.onLogout((event) => heard.push({ ...event, closed: line.closed }))
    const body = toBinary(
      UserLogoutSchema,
      create(UserLogoutSchema, { loginIp: '203.0.113.9', reason: 'elsewhere' }),
    )
    line.push(Scene.USER_LOGOUT, body, '50')
    expect(heard).toEqual([{ loginIp: '203.0.113.9', reason: 'elsewhere', closed: true }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sockets).toHaveLength(1)
  })

  it('tells of machines that come and go', async () => {
    const line = await connect()
    const heard: unknown[] = []
    const off = client.onMachineState(({ machineId, online, at }) => heard.push([machineId, online, at]))
    line.push(Scene.MACHINE_STATE, machineState('3', false), '1')
    off()
    line.push(Scene.MACHINE_STATE, machineState('3', true), '2')
    expect(heard).toEqual([[3, false, 7]])
  })

  it('ignores a scene it does not know yet, and keeps its id', async () => {
    const line = await connect()
    line.push(99 as Scene, new Uint8Array([1, 2]), '60')
    line.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    socket().open()
    expect(socket().sent[0]).toBe('resume 60')
  })
})

describe('what is watched', () => {
  it('is asked for once, however many watch the same', async () => {
    const line = await connect()
    client.watch(3, [31], () => {})
    client.watch(3, [31], () => {})
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]'])
  })

  it('is the union of all wishes, and everything when somebody wants everything', async () => {
    const line = await connect()
    client.watch(3, [32], () => {})
    await settle()
    client.watch(3, [31], () => {})
    await settle()
    const all = client.watch(3, undefined, () => {})
    await settle()
    all()
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [32]', 'watch 3 [31,32]', 'watch 3 []', 'watch 3 [31,32]'])
  })

  it('ends with the last who watched', async () => {
    const line = await connect()
    const first = client.watch(3, [31], () => {})
    const second = client.watch(3, [31], () => {})
    await settle()
    first()
    first()
    await settle()
    second()
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]', 'unwatch 3'])
  })

  it('sends nothing for a change of hands within one task', async () => {
    const line = await connect()
    const leave = client.watch(3, [31], () => {})
    await settle()
    leave()
    client.watch(3, [31], () => {})
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]'])
  })

  it('asks for nothing when nobody named a tag', async () => {
    const line = await connect()
    client.watch(3, [], () => {})
    await settle()
    expect(line.sent).toEqual(['heartbeat'])
  })

  it('reaches each who watches, with the tags they named', async () => {
    const line = await connect()
    const some: unknown[] = []
    const all: unknown[] = []
    client.watch(3, [31], (got) => some.push(...got.map(({ tagId, value }) => [tagId, value])))
    client.watch(3, undefined, (got) => all.push(...got.map(({ tagId }) => tagId)))
    client.watch(4, undefined, () => all.push('another machine'))
    line.push(Scene.TAG_VALUES, values('3', ['31', 1.5], ['32', 2]))
    expect(some).toEqual([[31, 1.5]])
    expect(all).toEqual([31, 32])
  })
})

describe('visits that a bar shows', () => {
  it('are attended anew on every connection, so that a lost line does not make them idle', async () => {
    client.attend(7)
    const first = await connect()
    expect(first.sent).toEqual(['attend 7', 'heartbeat'])
    first.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    socket().open()
    expect(socket().sent).toEqual(['attend 7', 'heartbeat'])
  })

  it('are attended until the last bar is gone, and not left between two drawings', async () => {
    const line = await connect()
    const first = client.attend(7)
    await settle()
    const second = client.attend(7)
    first()
    first()
    await settle()
    second()
    const third = client.attend(7)
    await settle()
    third()
    await settle()
    expect(line.sent.slice(1)).toEqual(['attend 7', 'unattend 7'])
  })

  it('tell who visits, and that nobody holds the controller', async () => {
    const line = await connect()
    const heard: unknown[] = []
    client.onVisit((event) => heard.push(event))
    const body = create(VisitSessionSchema, {
      sessionId: '7',
      machineId: '3',
      userId: '5',
      user: 'Ming Li',
      target: 'page',
      mode: 'admin',
      until: '90000',
      ended: true,
      reason: 'idle',
    })
    line.push(Scene.VISIT_SESSION, toBinary(VisitSessionSchema, body))
    expect(heard).toEqual([
      {
        sessionId: 7,
        machineId: 3,
        userId: 5,
        user: 'Ming Li',
        target: 'page',
        mode: 'ro',
        until: 90_000,
        idleAt: null,
        releaseAt: null,
        ended: true,
        reason: 'idle',
        controls: false,
        asks: false,
        controller: { who: null, me: false, sessionId: null },
      },
    ])
  })

  it('tell what became of a write, with what the machine kept', async () => {
    const line = await connect()
    const heard: unknown[] = []
    client.onWriteResult(({ commandId, state, kept }) => heard.push([commandId, state, kept?.value]))
    const result = (state: string) =>
      toBinary(
        WriteResultSchema,
        create(WriteResultSchema, {
          commandId: '11',
          machineId: '3',
          tagId: '31',
          state,
          kept: { tagId: '31', value: { case: 'boolValue', value: false }, quality: Quality.GOOD },
        }),
      )
    line.push(Scene.WRITE_RESULT, result('failed'))
    line.push(Scene.WRITE_RESULT, result('of another version'))
    expect(heard).toEqual([[11, 'failed', false]])
  })
})

describe('a window too many', () => {
  const refuse = (reason = 'too many sockets') => socket().breakLine(4429, reason)
  const connection = () => client.state.get().connection

  it('asks for what it watches every 5 s instead of reconnecting', async () => {
    const got: unknown[] = []
    client.watch(3, [31], (values) => got.push(...values.map(({ value }) => value)))
    await connect()
    refuse()
    await settle()
    expect([connection(), polled, got]).toEqual(['polling', ['3 [31]'], [1]])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([sockets.length, polled.length, got]).toEqual([1, 3, [1, 2, 3]])
  })

  it('tries a socket again each minute, and asks for everything else then', async () => {
    await connect()
    refuse()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([sockets.length, missed]).toEqual([2, 0])
    socket().open()
    expect(connection()).toBe('polling')
    refuse()
    expect([connection(), missed]).toEqual(['polling', 1])
    await vi.advanceTimersByTimeAsync(59_999)
    expect(sockets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(3)
  })

  it('is live again with the first word on a socket, and polls no more', async () => {
    client.watch(3, undefined, () => {})
    await connect()
    refuse()
    await vi.advanceTimersByTimeAsync(60_000)
    socket().open()
    expect(socket().sent).toEqual(['watch 3 []', 'heartbeat'])
    socket().push(Scene.NONE)
    expect([connection(), missed]).toEqual(['live', 1])
    const asked = polled.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect([polled.length, sockets.length]).toEqual([asked, 2])
  })

  it('gets the result of a write that is awaited', async () => {
    const heard: unknown[] = []
    client.onWriteResult(({ commandId, state }) => {
      heard.push([commandId, state])
      end()
    })
    await connect()
    refuse()
    const end = client.followWrite(3, 11)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([])
    isWritten = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([[11, 'confirmed']])
  })

  it('is not live after a round without an answer, until one has its answers', async () => {
    client.watch(3, undefined, () => {})
    await connect()
    refuse()
    await settle()
    const heardAt = Date.now()
    pollsFail = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(client.state.get()).toEqual({ connection: 'lost', latencyMs: null, heardAt })
    pollsFail = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(client.state.get()).toEqual({ connection: 'polling', latencyMs: null, heardAt: null })
  })

  it('goes on polling where a try brings no socket at all, and asks at once after the platform was away', async () => {
    client.watch(3, undefined, () => {})
    await connect()
    refuse()
    ticketsFail = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connection()).toBe('polling')
    pollsFail = true
    await vi.advanceTimersByTimeAsync(6_000)
    expect(connection()).toBe('lost')
    ticketsFail = pollsFail = false
    client.reconnectNow()
    await settle()
    refuse()
    await settle()
    expect(connection()).toBe('polling')
  })

  it('asks for nothing any more after it stopped', async () => {
    client.watch(3, undefined, () => {})
    await connect()
    refuse()
    await settle()
    client.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([polled.length, sockets.length]).toEqual([1, 1])
  })

  it.each(['too many watches', 'too many messages'])(
    'is another thing than %s, after which it reconnects as after any loss',
    async (reason) => {
      client.watch(3, undefined, () => {})
      await connect()
      refuse(reason)
      expect(connection()).toBe('lost')
      await vi.advanceTimersByTimeAsync(5_000)
      expect([sockets.length, polled]).toEqual([2, []])
    },
  )
})
