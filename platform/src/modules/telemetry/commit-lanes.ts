import { type CommitAttempt, countAlarms, type RefusedTags } from './commit-batch.ts'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'
import type { BatchEntry } from './plan-batch.ts'
import { RecordRoom } from './record-room.ts'
import { type StorableAttributes, storableAttributes } from './told-attributes.ts'

export const commitLanesLimits = {
  /** Alarms waiting to be committed or given back; above it a sender of further ones should wait. */
  alarmsWaitingMax: 128,
  /** A longer message goes with the values, which share the time with messages that go in parts. */
  recordsWithAlarmsMax: 64,
  /** While values are committed beside it, the rest of the lane of alarms, as a multiple of its commit's duration. */
  restFactor: 3,
  /** The upper limit of the rest. */
  restMsMax: 150,
} as const

export interface CommitLanesOptions extends Omit<GroupCommitOptions, 'commit' | 'restMs' | 'room'> {
  /** Called when senders should pause, and when they may go on. */
  readonly onPressure: (isHigh: boolean) => void
  /** Commits values, beside alarms of other machines. */
  readonly commitValues: CommitAttempt
  readonly commitAlarms: CommitAttempt
  /** Commits attributes alone; what it has written it may be told again. */
  readonly commitAttributes: CommitAttempt
  /** Called when alarms were committed or given back. */
  readonly onAlarmRoom: () => void
}

/**
 * Lanes of commits: a commit with alarms takes several times as long as one of values alone, and values of other
 * machines do not wait for it. Both lanes share processor and disk, so commits with alarms take at most a quarter of
 * the time while values are committed, too; without values they take all of it. All waiting entries of a machine are in
 * one lane, so that they are committed in their order. Attributes are written in a third lane, after the values of their
 * message, and the message is answered then: values wait for the attributes of no machine. All lanes together have the
 * bounds of one.
 */
export class CommitLanes {
  readonly #values: GroupCommit
  readonly #alarms: GroupCommit
  readonly #attributes: GroupCommit
  readonly #onAlarmRoom: () => void
  #alarmsInHand = 0
  /** Whether values were committed since the last commit with alarms. */
  #hasValues = false

  constructor({
    commitValues,
    commitAlarms,
    commitAttributes,
    onAlarmRoom,
    onPressure,
    ...rest
  }: CommitLanesOptions) {
    this.#onAlarmRoom = onAlarmRoom
    const room = new RecordRoom(onPressure)
    const commit: CommitAttempt = (batch) => {
      this.#hasValues = true
      return commitValues(batch)
    }
    this.#values = new GroupCommit({ ...rest, room, commit })
    this.#alarms = new GroupCommit({
      ...rest,
      room,
      commit: commitAlarms,
      restMs: (tookMs) => this.#restMs(tookMs),
    })
    const { logger, now, createBatchId, blameOf } = rest
    this.#attributes = new GroupCommit({
      ...{ logger, now, createBatchId, blameOf, room, commit: commitAttributes, onCommit: () => {} },
      // Written twice they are the same.
      close: async () => true,
    })
  }

  get #all(): readonly GroupCommit[] {
    return [this.#values, this.#alarms, this.#attributes]
  }

  /** Records not yet committed. */
  get waiting(): number {
    return this.#all.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Arrival of the oldest entry that is not committed; undefined without one. */
  get oldestAt(): number | undefined {
    const [values, alarms] = [this.#values.oldestAt, this.#alarms.oldestAt]
    return values === undefined || alarms === undefined ? (values ?? alarms) : Math.min(values, alarms)
  }

  /** Time that records have waited without any commit in their lane, in ms. */
  get stalledMs(): number {
    return Math.max(...this.#all.map(({ stalledMs }) => stalledMs))
  }

  /** Number of further alarms that a sender may give now. */
  get alarmRoom(): number {
    return Math.max(0, commitLanesLimits.alarmsWaitingMax - this.#alarmsInHand)
  }

  /** Resolves after the commit. Throws `TelemetryBusy`, `RecordsRefused`, `StoreFailed` or `TelemetryStopped`. */
  append(entry: BatchEntry): Promise<RefusedTags> {
    const told = storableAttributes(entry.records)
    const stored = this.#appendValues(entry)
    return told ? this.#appendAttributes(entry, told, stored) : stored
  }

  /** After the values: a commit of new tags holds the row of their machine, and attributes are written in that row. */
  async #appendAttributes(
    { machineId, receivedAt, report }: BatchEntry,
    { records, refused, cleaned }: StorableAttributes,
    stored: Promise<RefusedTags>,
  ): Promise<RefusedTags> {
    const names = await stored
    if (records.length > 0) await this.#attributes.append({ machineId, receivedAt, records })
    for (const name of cleaned) report?.noteCleaned(name)
    return [...names, ...refused]
  }

  #appendValues(entry: BatchEntry): Promise<RefusedTags> {
    const isShort = entry.records.length <= commitLanesLimits.recordsWithAlarmsMax
    const alarms = isShort ? countAlarms(entry.records) : 0
    if (alarms === 0) return this.#laneOf(entry.machineId, this.#values).append(entry)
    this.#alarmsInHand += alarms
    const settled = () => {
      this.#alarmsInHand -= alarms
      this.#onAlarmRoom()
    }
    const stored = this.#laneOf(entry.machineId, this.#alarms).append(entry)
    stored.then(settled, settled)
    return stored
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#all.map((lane) => lane.settled()))
  }

  /** Commits the waiting entries for at most `patienceMs`; the rest is given back to its senders. */
  async stop(patienceMs: number): Promise<void> {
    await Promise.all(this.#all.map((lane) => lane.stop(patienceMs)))
  }

  #restMs(tookMs: number): number {
    const isShared = this.#hasValues || this.#values.waiting > 0
    this.#hasValues = false
    return isShared ? Math.min(tookMs * commitLanesLimits.restFactor, commitLanesLimits.restMsMax) : 0
  }

  /** The lane in which the machine has something waiting, otherwise the wished one. */
  #laneOf(machineId: number, wished: GroupCommit): GroupCommit {
    const other = wished === this.#values ? this.#alarms : this.#values
    return other.holds(machineId) ? other : wished
  }
}
