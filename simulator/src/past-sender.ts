import type { Outage } from './connection-plan.ts'
import type { AlarmChange, Dialect } from './dialect.ts'
import { type AlarmEpisode, batchesOf, type History, type Sample } from './history.ts'
import type { Message } from './mqtt-line.ts'
import type { MachineProfile } from './profiles/profile.ts'
import type { Turns } from './turns.ts'

/** The past that a machine sends at its first connection. */
export interface PastPlan {
  fromAt: number
  untilAt: number
  /** A span that was lost at the machine and is reported as lost. */
  lost?: Outage | undefined
  /** Data of this age and younger was acknowledged in an earlier run. */
  toldFromAt: number | undefined
  /** Called when all data from `fromAt` on is acknowledged. */
  onTold(fromAt: number): void
  /** Shared by machines, so that their pasts do not flood the platform together. */
  turns: Turns
}

/** Sends a history over an unreliable line, newest first, one unacknowledged message at a time. */
export interface PastSender {
  readonly isDone: boolean
  /** Continues after the last acknowledgement. Resolves at the end, or when the line went. */
  tell(): Promise<void>
}

export interface PastSenderOptions {
  profile: MachineProfile
  dialect: Dialect
  history: History
  plan: PastPlan
  now(): number
  /** False if the message was not acknowledged. */
  send(message: Message): Promise<boolean>
}

export function createPastSender({
  profile,
  dialect,
  history,
  plan,
  now,
  send,
}: PastSenderOptions): PastSender {
  const { toldFromAt = Number.POSITIVE_INFINITY } = plan
  const untold = history.samples.filter(({ at }) => at < toldFromAt)
  // Alarms are few, and the platform recognizes repeated ones, so they are sent with each start.
  const changes = dialect.marksPastAlarms ? pastAlarms(history.episodes, profile) : []
  const batches = batchesOf(untold, dialect.historyBytes)
  let batch: readonly Sample[] | undefined
  let isDone = false
  let isTelling = false

  function takeNext(): Message | undefined {
    const [change] = changes
    if (change) return dialect.alarm(change, now())
    batch ??= batches.next().value ?? undefined
    return batch && dialect.history(batch, now())
  }

  function acknowledge(): void {
    if (changes.length > 0) {
      changes.shift()
      return
    }
    const fromAt = batch?.[0]?.at
    batch = undefined
    if (fromAt !== undefined) plan.onTold(fromAt)
  }

  async function sendNext(): Promise<'more' | 'done' | 'cut'> {
    const release = await plan.turns.take()
    try {
      // Made only now: a message of a Sparkplug session has its number.
      const message = takeNext()
      if (message === undefined) return 'done'
      if (!(await send(message))) return 'cut'
      acknowledge()
      return 'more'
    } finally {
      release()
    }
  }

  async function sendLost(): Promise<boolean> {
    if (plan.lost === undefined || dialect.lost === undefined) return true
    return send(dialect.lost(plan.lost, now()))
  }

  return {
    get isDone() {
      return isDone
    },
    async tell() {
      if (isTelling || isDone) return
      isTelling = true
      try {
        for (;;) {
          const outcome = await sendNext()
          if (outcome === 'cut') return
          if (outcome === 'done') break
        }
        isDone = await sendLost()
        if (isDone) plan.onTold(plan.fromAt)
      } finally {
        isTelling = false
      }
    },
  }
}

/** Whether a machine's past is complete, down to its beginning. */
export function isPastTold(plan: PastPlan): boolean {
  return plan.toldFromAt !== undefined && plan.toldFromAt <= plan.fromAt
}

function pastAlarms(episodes: readonly AlarmEpisode[], profile: MachineProfile): AlarmChange[] {
  return episodes.flatMap(({ id, raisedAt, clearedAt }) => {
    const alarm = profile.alarms.find((candidate) => candidate.id === id)
    // The birth reports alarms that are still active.
    if (alarm === undefined || clearedAt === undefined) return []
    const raised: AlarmChange = { alarm, raised: true, at: raisedAt, past: true }
    return [raised, { ...raised, raised: false, at: clearedAt }]
  })
}
