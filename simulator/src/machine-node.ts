import { type Clock, systemClock } from '@busbar/agent/clock.ts'
import { nmeaSource } from '@busbar/agent/position/nmea-source.ts'
import { startPosition } from '@busbar/agent/position/position.ts'
import { createChangeFilter } from './change-filter.ts'
import { isReachable, type Outage } from './connection-plan.ts'
import { storyOf } from './demo-story.ts'
import type { AlarmChange, Dialect } from './dialect.ts'
import { loadDrive, playDrive } from './drive.ts'
import { historyMostMs, recordHistory } from './history.ts'
import {
  coarseStepMs,
  createMachineModel,
  type MachineModel,
  type SavedModel,
  type WriteVerdict,
} from './machine-model.ts'
import { createLine, type Line, type Message } from './mqtt-line.ts'
import { createPastSender, isPastTold, type PastPlan, type PastSender } from './past-sender.ts'
import type { MachineProfile, TagValue } from './profiles/profile.ts'

/** A machine and where it reports to. */
export interface NodeOptions {
  mqttUrl: string
  /** 19 digits. */
  code: string
  secret: string
  profile: MachineProfile
  /** Times without a connection, past ones as gaps of the history, a current one as an offline machine. */
  outages?: readonly Outage[]
  /** History that its first connection sends; absent: none. */
  past?: PastPlan | undefined
  /** The saved state of its process. */
  saved?: SavedModel | undefined
  /** The demo it belongs to was made then: its faults follow the demo's story. */
  storyAt?: number | undefined
  /** Epoch milliseconds; the real clock by default. */
  now?: () => number
  /** Of its drive; the real one by default. */
  clock?: Clock
}

/** A running machine. */
export interface MachineNode {
  readonly code: string
  readonly model: MachineModel
  /** Resolves once the first connection was made and its history is acknowledged. */
  readonly settled: Promise<void>
  /** Whether its line to the platform is up. */
  readonly isOnline: boolean
  /** Runs the process up to the clock and lets the node publish; called every `speakEveryMs`. */
  tick(): void
  /**
   * A write: the tag's value afterwards is sent immediately, whatever the deadband. `visit` is set for a
   * write on the machine's own page: the visit's id, empty at the machine itself.
   */
  write(name: string, value: TagValue, visit: string | null): { verdict: WriteVerdict; kept: TagValue }
  /**
   * The state of the process; undefined while the past is being sent, because that is generated again from
   * its beginning.
   */
  save(): SavedModel | undefined
  /** Ends the connection in order. Further calls have no effect. */
  stop(): Promise<void>
}

/**
 * The most messages without an acknowledgement; above it a step is skipped, and its changes come with a later
 * one.
 */
const inFlightMax = 32
/** Simulated time before a machine is first seen, so that it is in the middle of its work. */
const warmUpMs = 60 * 60_000
/** Time that lies further back than this is simulated in coarse steps. */
const fineCatchUpMs = 10 * 60_000

/** Prepares a machine's model and its past, then runs its line by its plan. */
export async function startMachineNode(
  options: NodeOptions,
  createDialect: (code: string, profile: MachineProfile) => Dialect,
): Promise<MachineNode> {
  const { code, profile, past } = options
  const now = options.now ?? Date.now
  const outages = options.outages ?? []
  const dialect = createDialect(code, profile)
  const filter = createChangeFilter(profile.tags)
  const settled = Promise.withResolvers<void>()
  const alarmSince = new Map<string, number>()
  /** Where it is, as attributes that births tell. */
  const told = new Map<string, string>()
  let inFlight = 0
  let stopped = false
  let pastSender: PastSender | undefined

  const { model, saved } = prepareModel(options, now())
  for (const [id, since] of Object.entries(saved?.alarmSince ?? {})) alarmSince.set(id, since)
  if (past !== undefined && !isPastTold(past)) {
    const missing = past.lost === undefined ? outages : [...outages, past.lost]
    const history = await recordHistory(
      model,
      past.untilAt,
      missing,
      () => new Promise((resume) => setImmediate(resume)),
    )
    pastSender = createPastSender({ profile, dialect, history, plan: past, now, send })
    for (const { id, raisedAt, clearedAt } of history.episodes)
      if (clearedAt === undefined) alarmSince.set(id, raisedAt)
  }
  catchUp(model, now())

  const line: Line = createLine({
    url: options.mqttUrl,
    code,
    secret: options.secret,
    subscriptions: dialect.subscriptions,
    ...(dialect.will ? { will: dialect.will } : {}),
    onOpen() {
      sendBirth()
      void sendPast()
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
          // Messages on their way may be lost, so the next step reports every value again.
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
    catchUp(model, at)
    noteAlarms(at)
    const values = model.values()
    const standing: AlarmChange[] = profile.alarms.map((alarm) => {
      const since = alarmSince.get(alarm.id)
      return { alarm, raised: since !== undefined, at: since ?? at }
    })
    filter.reset()
    filter.take(values, at)
    for (const message of dialect.birth(values, standing, told, at)) void send(message)
  }

  /** An attribute that no birth has told needs one. */
  function describe(attributes: ReadonlyMap<string, string>): void {
    const isKnown = [...attributes.keys()].every((name) => told.has(name))
    for (const [name, value] of attributes) told.set(name, value)
    if (!line.isOpen) return
    if (isKnown) void send(dialect.describe(attributes, now()))
    else sendBirth()
  }

  const stopPosition =
    profile.drive === undefined
      ? undefined
      : await followDrive(profile.drive, describe, options.clock ?? systemClock)

  /** Alarms that changed since the last call; `alarmSince` then has the active ones. */
  function noteAlarms(at: number): AlarmChange[] {
    const standing = model.alarms()
    const changes: AlarmChange[] = []
    for (const alarm of profile.alarms) {
      const raised = standing.has(alarm.id)
      if (raised === alarmSince.has(alarm.id)) continue
      if (raised) alarmSince.set(alarm.id, at)
      else alarmSince.delete(alarm.id)
      changes.push({ alarm, raised, at })
    }
    return changes
  }

  async function sendPast(): Promise<void> {
    if (pastSender !== undefined) {
      await pastSender.tell()
      if (!pastSender.isDone) return
      pastSender = undefined
    }
    settled.resolve()
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
    const tag = profile.tags.findIndex((candidate) => candidate.name === name)
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
      catchUp(model, at)
      const changes = noteAlarms(at)
      // A machine with an unsent past connects for it, even if it is offline for long.
      const reachable = pastSender !== undefined || isReachable(code, profile.presence, outages, at)
      if (!reachable) line.drop()
      else line.open()
      if (!line.isOpen) return
      for (const change of changes) void send(dialect.alarm(change, at))
      if (inFlight >= inFlightMax) return
      const due = filter.take(model.values(), at)
      if (due.length > 0) void send(dialect.data(due, at))
    },
    save: () =>
      pastSender === undefined ? { ...model.save(), alarmSince: Object.fromEntries(alarmSince) } : undefined,
    async stop() {
      if (stopped) return
      stopped = true
      settled.resolve()
      stopPosition?.()
      if (line.isOpen && dialect.death) void send(dialect.death(now()))
      await line.close()
    },
  }
}

/** Reads a drive as an agent reads its receiver. */
async function followDrive(
  name: string,
  publish: (attributes: ReadonlyMap<string, string>) => void,
  clock: Clock,
): Promise<() => void> {
  const drive = await loadDrive(name)
  const source = nmeaSource(name, async () => playDrive(drive, clock), clock)
  return startPosition({ sources: [source], publish, clock, log: () => undefined })
}

/** The model, with the saved state that it continues from. */
function prepareModel(
  options: NodeOptions,
  at: number,
): { readonly model: MachineModel; readonly saved: SavedModel | undefined } {
  const { code, profile, past, storyAt } = options
  const told = storyAt === undefined ? [] : storyOf(profile.id, storyAt)
  const parts = { profile, machineCode: code, told }
  if (past !== undefined && !isPastTold(past))
    return { model: createMachineModel({ ...parts, startAt: past.fromAt }), saved: undefined }
  const isFresh =
    options.saved !== undefined && options.saved.at > at - historyMostMs && options.saved.at <= at
  const saved = isFresh ? options.saved : undefined
  return { model: createMachineModel({ ...parts, startAt: at - warmUpMs, saved }), saved }
}

function catchUp(model: MachineModel, at: number): void {
  if (at - model.at > fineCatchUpMs) model.advance(at - fineCatchUpMs, coarseStepMs)
  model.advance(at)
}

/** Interval at which machines publish; their processes have their own steps. */
export const speakEveryMs = 2_000
/** Each machine publishes in one of these slices, so that they are spread over time. */
const tickSlices = 20

/** Ticks each of a growing list of machines every `speakEveryMs`, until the returned function is called. */
export function startTicking(nodes: readonly MachineNode[]): () => void {
  let slice = 0
  const timer = setInterval(() => {
    for (let index = slice; index < nodes.length; index += tickSlices) nodes[index]?.tick()
    slice = (slice + 1) % tickSlices
  }, speakEveryMs / tickSlices)
  return () => clearInterval(timer)
}
