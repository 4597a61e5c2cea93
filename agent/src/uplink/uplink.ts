import { Backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Machine } from '../machine.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Sample } from '../tag.ts'
import { within } from '../within.ts'
import { BacklogPace } from './backlog-pace.ts'
import type { CommandWrite, EdgeNode, Message } from './edge-node.ts'
import type { MqttSession, SessionPath } from './mqtt-session.ts'
import { openMqttSession } from './mqtt-session.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000
/** Repeating a wrong secret is useless; the cloud slows such addresses down anyway. */
const refusedReconnectMs = 60_000
/** Limit for live samples; one batch of the backlog may be sent beside them. */
const batchesUnderWayMax = 4
/** If the cloud keeps the connection but acknowledges nothing for this time, the agent reconnects. */
const acknowledgeTimeoutMs = 60_000
/** Repeated requests for a birth within this time get one. */
const rebirthPauseMs = 1_000
/** Of a stranger's name, in the log. */
const nameCharactersMax = 128
const drainMs = 800
const deathMs = 800

export interface UplinkOptions {
  url: string
  code: string
  secret: string
  /** Closed by `stop`. */
  outbox: Outbox
  /** Samples from before there was a line: the first birth tells them, or if it does not come they are late. */
  early?: readonly Sample[]
  node: EdgeNode
  /** The values of births, and the target of commands. */
  machine: Pick<Machine, 'current' | 'alarms' | 'write'>
  clock: Clock
  log: Log
  /** 0 to 1, for the jitter. */
  random: () => number
}

/** The agent's line to the cloud. */
export interface Uplink {
  readonly isOnline: boolean
  /** Of the present connection, or of the last one. */
  readonly path: SessionPath
  send(samples: readonly Sample[]): void
  /** Tells attributes of the machine; without a line the next birth does it. */
  describe(attributes: ReadonlyMap<string, string>): void
  /** Tells the tags again: their types, units or ranges are others now. Without a line the next birth does it. */
  rebirth(): void
  /**
   * Tells other tags: `apply` makes them those of the node and the outbox. `read` are samples of them from before. The
   * answer is fulfilled when the cloud has acknowledged a birth with them, on this connection or on a later one.
   */
  retag(apply: () => void, read: readonly Sample[]): Promise<void>
  /** Sends what it can, says goodbye, ends: in at most two seconds. Unsent samples are on the disk then. */
  stop(): Promise<void>
}

/** Connects and stays connected until `stop`. */
export function startUplink(options: UplinkOptions): Uplink {
  const { node, machine, outbox, clock, log } = options
  const backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  let session: MqttSession | null = null
  let path: SessionPath = { family: null, tls: null, roundTripMs: null }
  /** True from the PUBACK of the birth to the end of the connection. */
  let online = false
  /**
   * True from the birth on: readings from then on are live, and wait for the birth's PUBACK without becoming
   * history.
   */
  let isBorn = false
  let stopping = false
  let isClosed = false
  let early = options.early ?? []
  const pace = new BacklogPace()
  /** The session whose backlog is being sent: one message at a time. */
  let backlogOf: MqttSession | null = null
  let bornAtMs = -Infinity
  /** Wait for a birth with the tags of now. */
  let untold: { isIn: MqttSession | null; done: () => void }[] = []
  let cancelReconnect = (): void => undefined
  let cancelStalled = (): void => undefined
  let cancelRebirth = (): void => undefined
  /** Runs when no live sample waits any more or the connection is gone. */
  let onIdle = (): void => undefined

  function open(): void {
    const opened = openMqttSession(
      {
        url: options.url,
        code: options.code,
        secret: options.secret,
        will: node.beginSession(clock.now()),
        commandTopic: node.commandTopic,
      },
      {
        onOpen(commandsGranted) {
          if (!commandsGranted) log('warn', 'uplink.commandsRefused')
          watchStalled()
          const told = publishBirth(opened, () => {
            online = true
            // Values that have changed again are missing in the birth, which contains only the newest.
            outbox.add(
              early.filter(({ tag, at }) => told.get(tag) !== at),
              false,
            )
            early = []
            backoff.reset()
            log('info', 'uplink.online', { waiting: outbox.waiting })
            pump()
          })
        },
        onCommand: (payload) => obey(opened, payload),
        onClose: (reason, refused) => lost(reason, refused),
      },
    )
    session = opened
  }

  /** Returns the time of the sample that it contains for each tag. */
  function publishBirth(opened: MqttSession, onAcknowledged: () => void): ReadonlyMap<number, number> {
    bornAtMs = clock.monotonic()
    const current = machine.current()
    for (const one of untold) one.isIn = opened
    opened.publish(node.birth(clock.now(), current, machine.alarms()), () => {
      onAcknowledged()
      const told = untold.filter(({ isIn }) => isIn === opened)
      untold = untold.filter(({ isIn }) => isIn !== opened)
      for (const { done } of told) done()
    })
    isBorn = true
    return new Map(current.map(({ tag, at }) => [tag, at]))
  }

  function obey(opened: MqttSession, payload: Uint8Array): void {
    const command = node.parseCommand(payload)
    if (command === null) {
      log('warn', 'uplink.commandUnreadable')
      return
    }
    if (command.ignoredCount > 0) log('warn', 'uplink.commandIgnored', { metrics: command.ignoredCount })
    if (command.rebirth && online && clock.monotonic() - bornAtMs >= rebirthPauseMs) {
      log('info', 'uplink.rebirth')
      publishBirth(opened, () => undefined)
    }
    for (const write of command.writes) void obeyWrite(opened, write)
  }

  function rebirth(): void {
    cancelRebirth()
    const opened = session
    if (!isBorn || opened === null) return
    const waitMs = bornAtMs + rebirthPauseMs - clock.monotonic()
    if (waitMs > 0) cancelRebirth = clock.after(waitMs, rebirth)
    else publishBirth(opened, () => undefined)
  }

  function describe(attributes: ReadonlyMap<string, string>): void {
    const { needsBirth } = node.describe(attributes)
    if (needsBirth) rebirth()
    else if (isBorn) session?.publish(node.attributes(clock.now(), attributes), watchStalled)
  }

  function retag(apply: () => void, read: readonly Sample[]): Promise<void> {
    apply()
    const told = new Promise<void>((done) => {
      untold.push({ isIn: null, done })
    })
    const opened = session
    if (opened !== null && isBorn) {
      const inBirth = publishBirth(opened, () => undefined)
      outbox.add(
        read.filter(({ tag, at }) => inBirth.get(tag) !== at),
        true,
      )
      pump()
    } else {
      early = [...early, ...read]
    }
    return told
  }

  /** The machine reports an attempted write, with the value read back; a refused one is reported here. */
  async function obeyWrite(opened: MqttSession, write: CommandWrite): Promise<void> {
    const result =
      write.tag === undefined
        ? { refused: 'unknownTag' as const }
        : write.value === null
          ? { refused: 'type' as const }
          : await machine.write(write.tag, write.value, { kind: 'cloud' })
    const fields = { tag: write.tag === undefined ? write.name.slice(0, nameCharactersMax) : write.tag + 1 }
    if (!('refused' in result)) {
      log('info', 'uplink.written', { ...fields, state: result.state })
      return
    }
    log('warn', 'uplink.writeRefused', { ...fields, why: result.refused })
    if (!online || session !== opened) return
    const kept = machine.current().find((sample) => sample.tag === write.tag)?.value ?? null
    opened.publish(node.refusal(clock.now(), write, result.refused, kept), () => undefined)
  }

  function lost(reason: string, refused: boolean): void {
    const wasOnline = online
    online = false
    isBorn = false
    path = session?.path ?? path
    session = null
    backlogOf = null
    cancelStalled()
    outbox.interrupt()
    outbox.add(early, false)
    early = []
    onIdle()
    if (stopping) return
    const pauseMs = refused ? refusedReconnectMs : backoff.nextMs()
    // Half of the pause is random, so that machines do not all return together after an outage of the cloud.
    const delayMs = Math.round(pauseMs * (0.5 + options.random() / 2))
    log('warn', wasOnline ? 'uplink.offline' : refused ? 'uplink.refused' : 'uplink.unreachable', {
      reason,
      retryInMs: delayMs,
      waiting: outbox.waiting,
    })
    cancelReconnect = clock.after(delayMs, open)
  }

  function pump(): void {
    while (online && session !== null && outbox.liveUnderWay < batchesUnderWayMax) {
      const batch = outbox.takeLive()
      if (batch === null) break
      session.publish(node.data(clock.now(), batch.samples, false), () => {
        outbox.acknowledge(batch)
        watchStalled()
        pump()
      })
    }
    if (!outbox.hasLive) onIdle()
    if (online && !stopping && session !== null && backlogOf === null) void sendBacklog(session)
  }

  /** The gaps, then the backlog, one message at a time: a live sample waits behind one at most. */
  async function sendBacklog(opened: MqttSession): Promise<void> {
    backlogOf = opened
    const isOver = (): boolean => session !== opened || !online || stopping
    const send = (message: Message, onAcknowledged: () => void): Promise<void> =>
      new Promise((resolve) => {
        opened.publish(message, () => {
          onAcknowledged()
          watchStalled()
          pump()
          resolve()
        })
      })
    for (let lost = await outbox.takeLost(); lost !== null; lost = await outbox.takeLost()) {
      const span = lost
      if (isOver()) return
      await send(node.lost(clock.now(), span), () => outbox.acknowledgeLost(span))
    }
    let samples = 0
    for (;;) {
      const batch = await outbox.takeBacklog(pace.samples)
      if (isOver()) return
      if (batch === null) break
      const beganAtMs = clock.monotonic()
      await send(node.data(clock.now(), batch.samples, true), () => outbox.acknowledge(batch))
      pace.note(clock.monotonic() - beganAtMs)
      samples += batch.samples.length
    }
    if (samples > 0) log('info', 'uplink.backlogSent', { samples, waiting: outbox.waiting })
    backlogOf = null
  }

  /** Restarted by every acknowledgement; fires only while something waits for one. */
  function watchStalled(): void {
    cancelStalled()
    cancelStalled = clock.after(acknowledgeTimeoutMs, () => {
      if (!online || outbox.isUnderWay) session?.abort('no acknowledgement')
      else watchStalled()
    })
  }

  async function stop(): Promise<void> {
    stopping = true
    cancelReconnect()
    cancelRebirth()
    if (session !== null && online) {
      if (outbox.hasLive) {
        const idle = new Promise<void>((done) => {
          onIdle = done
        })
        await within(drainMs, idle, clock)
      }
      const opened = session
      // A DISCONNECT suppresses the will, so the agent publishes the death itself (Sparkplug 3.0, 5.7).
      if (opened !== null) {
        const sent = new Promise<void>((done) => opened.publish(node.death(clock.now()), done))
        await within(deathMs, sent, clock)
      }
    }
    cancelStalled()
    // Until its birth is acknowledged, the cloud's state is unknown, so the will has to report the death.
    if (online) await session?.end()
    else session?.abort('stopped')
    isClosed = true
    const waiting = outbox.waiting
    // Kept on the disk for the next start, except those that the disk refused.
    log('info', 'uplink.stopped', { waiting, lost: await outbox.close() })
  }

  open()
  return {
    get isOnline() {
      return online
    },
    get path() {
      return session?.path ?? path
    },
    send(samples) {
      if (samples.length === 0 || isClosed) return
      outbox.add(samples, isBorn)
      pump()
    },
    describe,
    rebirth,
    retag,
    stop,
  }
}
