import { createChangeFilter, type DueValue } from './change-filter.ts'
import { isReachable, type Outage } from './connection-plan.ts'
import {
  type AlarmEpisode,
  batchesOf,
  type History,
  historyMostMs,
  recordHistory,
  type Sample,
} from './history.ts'
import { createMachineModel, type MachineModel, processStepMs, type WriteVerdict } from './machine-model.ts'
import { createLine, type Line, type Message } from './mqtt-line.ts'
import type { AlarmSpec, TagValue, Trade } from './trades/trade.ts'

/** A machine and where it reports to. */
export interface NodeOptions {
  mqttUrl: string
  /** 19 digits. */
  code: string
  secret: string
  trade: Trade
  /** Times without a connection, past ones as gaps of the history, a current one as an offline machine. */
  outages?: readonly Outage[]
  /** Since when the first connection fills history; absent: it does not. */
  historyFromAt?: number
  /** Epoch milliseconds; the real clock by default. */
  now?: () => number
}

/** A running machine. */
export interface MachineNode {
  readonly code: string
  readonly model: MachineModel
  /** Resolves once the first connection was made and its history is acknowledged. */
  readonly settled: Promise<void>
  /** Whether its line to the platform is up. */
  readonly isOnline: boolean
  /** Runs the process up to the clock and lets the node speak; called every `processStepMs`. */
  tick(): void
  /**
   * Somebody wishes for a value; what the tag has then is told at once, whatever the deadband (decision 47). `visit` is
   * set for a write on the machine's own page: the visit's id, empty at the machine itself.
   */
  write(name: string, value: TagValue, visit: string | null): { verdict: WriteVerdict; kept: TagValue }
  /** Ends the connection in order. Called twice it does nothing more. */
  stop(): Promise<void>
}

export type AlarmEntry = Omit<AlarmSpec<never>, 'raised'>

/** An alarm that changed, or stands while a birth is made. */
export interface AlarmChange {
  alarm: AlarmEntry
  raised: boolean
  at: number
  /** Long over: it fills history and is no news. */
  past?: true
}

/** What came down from the platform. */
export type NodeCommand =
  | { kind: 'rebirth' }
  | { kind: 'write'; name: string; value: TagValue; answer: (verdict: WriteVerdict) => Message | undefined }

/** A write that is told with its read-back. */
export interface WriteTold {
  wished: TagValue
  from: TagValue
  verdict: WriteVerdict
  visit: string | null
}

/** How a machine says things: Sparkplug B or plain JSON. Pure but for its own counters. */
export interface Dialect {
  subscriptions: readonly string[]
  will?: () => Message
  /** The first messages of a connection, or of a rebirth. */
  birth(values: readonly TagValue[], alarms: readonly AlarmChange[], at: number): Message[]
  /** The farewell of a machine that is switched off in order. */
  death?: (at: number) => Message
  data(due: readonly DueValue[], at: number): Message
  /** The value a tag has after somebody wished for another (decision 47). */
  readBack(now: DueValue, write: WriteTold, at: number): Message
  alarm(change: AlarmChange, at: number): Message
  /** Whether an alarm can be marked as past: one that cannot is taken for news of now. */
  marksPastAlarms: boolean
  history(samples: readonly Sample[], at: number): Message
  /** Bytes `history` would give, without taking part in the sequence of messages. */
  historyBytes(samples: readonly Sample[]): number
  parse(topic: string, payload: Uint8Array): NodeCommand[]
}

/** Messages on their way at once; above it a step is skipped, and its changes go with a later one. */
const inFlightMax = 32
/** Work done before a machine is first seen, so that it is in the middle of something. */
const warmUpMs = 30 * 60_000

/** Prepares a machine's model and its past, then keeps its line as its plan says. */
export async function startMachineNode(
  options: NodeOptions,
  createDialect: (code: string, trade: Trade) => Dialect,
): Promise<MachineNode> {
  const { code, trade } = options
  const now = options.now ?? Date.now
  const told = options.outages ?? []
  const dialect = createDialect(code, trade)
  const filter = createChangeFilter(trade.tags)
  const settled = Promise.withResolvers<void>()
  const alarmSince = new Map<string, number>()
  let inFlight = 0
  let stopped = false
  let filling = false

  const openedAt = now()
  let fill: History | undefined
  const model =
    options.historyFromAt === undefined
      ? createMachineModel(trade, code, openedAt - warmUpMs)
      : createMachineModel(trade, code, Math.max(options.historyFromAt, openedAt - historyMostMs))
  if (options.historyFromAt !== undefined) {
    fill = await recordHistory(model, openedAt, told, () => new Promise((resume) => setImmediate(resume)))
  }
  model.advance(now())

  const line: Line = createLine({
    url: options.mqttUrl,
    code,
    secret: options.secret,
    subscriptions: dialect.subscriptions,
    ...(dialect.will ? { will: dialect.will } : {}),
    onOpen() {
      sendBirth()
      if (fill === undefined) settled.resolve()
      else if (!filling) void fillHistory(fill)
    },
    onMessage: receive,
    onClose: () => filter.reset(),
  })

  function send(message: Message): Promise<boolean> {
    inFlight += 1
    return line
      .publish(message)
      .then(
        () => true,
        () => {
          // What was on its way may not have arrived: the next step tells everything again.
          filter.reset()
          return false
        },
      )
      .finally(() => {
        inFlight -= 1
      })
  }

  function sendBirth(): void {
    const at = now()
    model.advance(at)
    noteAlarms(at)
    const values = model.values()
    const standing: AlarmChange[] = trade.alarms.map((alarm) => {
      const since = alarmSince.get(alarm.id)
      return { alarm, raised: since !== undefined, at: since ?? at }
    })
    filter.reset()
    filter.take(values, at)
    for (const message of dialect.birth(values, standing, at)) void send(message)
  }

  /** Alarms that changed since the last look; `alarmSince` then says which stand. */
  function noteAlarms(at: number): AlarmChange[] {
    const standing = model.alarms()
    const changes: AlarmChange[] = []
    for (const alarm of trade.alarms) {
      const raised = standing.has(alarm.id)
      if (raised === alarmSince.has(alarm.id)) continue
      if (raised) alarmSince.set(alarm.id, at)
      else alarmSince.delete(alarm.id)
      changes.push({ alarm, raised, at })
    }
    return changes
  }

  async function fillHistory(history: History): Promise<void> {
    filling = true
    try {
      for (const message of pastMessages(history)) {
        // One batch on its way at a time: the next is made when the last is safe.
        if (!(await send(message))) return
      }
      fill = undefined
      settled.resolve()
    } finally {
      filling = false
    }
  }

  function* pastMessages(history: History): Generator<Message> {
    for (const batch of batchesOf(history.samples, dialect.historyBytes)) yield dialect.history(batch, now())
    if (!dialect.marksPastAlarms) return
    for (const change of pastAlarms(history.episodes, trade)) yield dialect.alarm(change, now())
  }

  function receive(topic: string, payload: Uint8Array): void {
    for (const command of dialect.parse(topic, payload)) {
      if (command.kind === 'rebirth') {
        sendBirth()
        continue
      }
      const { verdict } = write(command.name, command.value, null)
      const answer = command.answer(verdict)
      if (answer) void send(answer)
    }
  }

  function write(name: string, wished: TagValue, visit: string | null) {
    const tag = trade.tags.findIndex((candidate) => candidate.name === name)
    const from = model.values()[tag] ?? ''
    const verdict = model.write(name, wished)
    const value = model.values()[tag] ?? ''
    if (tag >= 0) void send(dialect.readBack({ tag, value }, { wished, from, verdict, visit }, now()))
    return { verdict, kept: value }
  }

  return {
    code,
    model,
    settled: settled.promise,
    write,
    get isOnline() {
      return line.isOpen
    },
    tick() {
      if (stopped) return
      const at = now()
      model.advance(at)
      const changes = noteAlarms(at)
      // A past that still has to be told is told even by a machine that is offline for long.
      const reachable = fill !== undefined || isReachable(code, trade.presence, told, at)
      if (!reachable) line.drop()
      else line.open()
      if (!line.isOpen) return
      for (const change of changes) void send(dialect.alarm(change, at))
      if (inFlight >= inFlightMax) return
      const due = filter.take(model.values(), at)
      if (due.length > 0) void send(dialect.data(due, at))
    },
    async stop() {
      if (stopped) return
      stopped = true
      settled.resolve()
      if (line.isOpen && dialect.death) void send(dialect.death(now()))
      await line.close()
    },
  }
}

function* pastAlarms(episodes: readonly AlarmEpisode[], trade: Trade): Generator<AlarmChange> {
  const inOrder = episodes.toSorted((one, other) => one.raisedAt - other.raisedAt)
  for (const episode of inOrder) {
    const alarm = trade.alarms.find((candidate) => candidate.id === episode.id)
    if (alarm === undefined) continue
    yield { alarm, raised: true, at: episode.raisedAt, past: true }
    yield { alarm, raised: false, at: episode.clearedAt, past: true }
  }
}

/** Each machine's step falls into one of these slices of `processStepMs`, so that many do not speak at once. */
const tickSlices = 20

/** Ticks each of a growing list of machines every `processStepMs`, until the answer is called. */
export function startTicking(nodes: readonly MachineNode[]): () => void {
  let slice = 0
  const timer = setInterval(() => {
    for (let index = slice; index < nodes.length; index += tickSlices) nodes[index]?.tick()
    slice = (slice + 1) % tickSlices
  }, processStepMs / tickSlices)
  return () => clearInterval(timer)
}
