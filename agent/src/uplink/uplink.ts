import { Backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Machine } from '../machine.ts'
import type { Sample } from '../tag.ts'
import type { CommandWrite, EdgeNode } from './edge-node.ts'
import type { MqttSession } from './mqtt-session.ts'
import { openMqttSession } from './mqtt-session.ts'
import { Outbox } from './outbox.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000
/** A wrong secret does not get right by asking often; the cloud slows such addresses down anyway. */
const refusedReconnectMs = 60_000
const batchSamplesMax = 500
const batchesUnderWayMax = 4
/** A cloud that keeps the connection but acknowledges nothing for so long is given up and tried anew. */
const acknowledgeTimeoutMs = 60_000
/** Repeated requests for a birth within this time get one. */
const rebirthPauseMs = 1_000
/** Of a stranger's name, in the log. */
const nameCharactersMax = 128
const drainMs = 1_000
const deathMs = 1_000

export interface UplinkOptions {
  url: string
  code: string
  secret: string
  /** Samples kept in memory at most while they cannot be sent. */
  outboxSamplesMax: number
  node: EdgeNode
  /** What a birth tells, and what commands write to. */
  machine: Pick<Machine, 'current' | 'alarms' | 'write'>
  clock: Clock
  log: Log
  /** 0 to 1, for the jitter. */
  random: () => number
}

/** The agent's line to the cloud. */
export interface Uplink {
  send(samples: readonly Sample[]): void
  /** Sends what it can, says goodbye, ends: in at most two seconds. */
  stop(): Promise<void>
}

/** Connects and stays connected until `stop`. */
export function startUplink(options: UplinkOptions): Uplink {
  const { node, machine, clock, log } = options
  const outbox = new Outbox(options.outboxSamplesMax)
  const backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  let session: MqttSession | null = null
  /** True from the PUBACK of the birth to the end of the connection. */
  let online = false
  let stopping = false
  let bornAtMs = -Infinity
  let cancelReconnect = (): void => undefined
  let cancelStalled = (): void => undefined
  /** Runs when the outbox is empty or the connection is gone. */
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
          publishBirth(opened, () => {
            online = true
            backoff.reset()
            log('info', 'uplink.online', { waiting: outbox.length })
            pump()
          })
        },
        onCommand: (payload) => obey(opened, payload),
        onClose: (reason, refused) => lost(reason, refused),
      },
    )
    session = opened
  }

  function publishBirth(opened: MqttSession, onAcknowledged: () => void): void {
    bornAtMs = clock.monotonic()
    opened.publish(node.birth(clock.now(), machine.current(), machine.alarms()), onAcknowledged)
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

  /** What was tried is told by the machine, with the value read back; what was not is told here. */
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
    session = null
    cancelStalled()
    outbox.interrupt()
    onIdle()
    if (stopping) return
    const pauseMs = refused ? refusedReconnectMs : backoff.nextMs()
    // Half of the pause is drawn: after an outage of the cloud its machines do not all come back at once.
    const delayMs = Math.round(pauseMs * (0.5 + options.random() / 2))
    log('warn', wasOnline ? 'uplink.offline' : refused ? 'uplink.refused' : 'uplink.unreachable', {
      reason,
      retryInMs: delayMs,
    })
    cancelReconnect = clock.after(delayMs, open)
  }

  function pump(): void {
    while (online && session !== null && outbox.batchesUnderWay < batchesUnderWayMax) {
      const batch = outbox.takeBatch(batchSamplesMax)
      if (batch === null) break
      session.publish(node.data(clock.now(), batch.samples, batch.isHistorical), () => {
        outbox.acknowledge(batch)
        watchStalled()
        pump()
      })
    }
    if (outbox.length === 0) onIdle()
  }

  /** Starts anew at every acknowledgement; runs out only when something waits for one. */
  function watchStalled(): void {
    cancelStalled()
    cancelStalled = clock.after(acknowledgeTimeoutMs, () => {
      if (!online || outbox.batchesUnderWay > 0) session?.abort('no acknowledgement')
      else watchStalled()
    })
  }

  async function stop(): Promise<void> {
    stopping = true
    cancelReconnect()
    if (session !== null && online) {
      if (outbox.length > 0) {
        await within(drainMs, (done) => {
          onIdle = done
        })
      }
      const opened = session
      // A DISCONNECT keeps the will from being sent, so the death is said by ourselves (Sparkplug 3.0, 5.7).
      if (opened !== null) await within(deathMs, (done) => opened.publish(node.death(clock.now()), done))
    }
    cancelStalled()
    // Before its birth is acknowledged nobody can tell what the cloud knows: the will says the death then.
    if (online) await session?.end()
    else session?.abort('stopped')
    log('info', 'uplink.stopped', { unsent: outbox.length })
  }

  function within(limitMs: number, begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(limitMs, resolve)
      begin(() => {
        cancel()
        resolve()
      })
    })
  }

  open()
  return {
    send(samples) {
      if (samples.length === 0 || stopping) return
      outbox.add(samples, !online)
      const dropped = outbox.takeDroppedCount()
      if (dropped > 0) log('warn', 'uplink.samplesDropped', { dropped })
      pump()
    },
    stop,
  }
}
