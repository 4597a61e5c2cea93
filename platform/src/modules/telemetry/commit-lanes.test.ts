import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { silentLogger } from '../../kernel/logger.ts'
import { TelemetryBusy } from './append-errors.ts'
import { blameOf } from './batch-writer.ts'
import { type CommitAttempt, groupCommitLimits } from './commit-batch.ts'
import { CommitLanes, commitLanesLimits } from './commit-lanes.ts'
import type { UplinkRecord } from './uplink-record.ts'

let lanes: CommitLanes

afterEach(() => lanes.stop(0))

const alarm: UplinkRecord = {
  kind: 'alarm',
  key: 'E1',
  level: 'major',
  text: {},
  state: 'raised',
  isRepeat: false,
  time: undefined,
  late: false,
}
const value: UplinkRecord = { kind: 'attributes', attributes: {} }

/** Lanes whose commits the test ends; `stored` lists machines in the order of their commits. */
function openLanes() {
  const stored: number[] = []
  const running = { values: [] as (() => void)[], alarms: [] as (() => void)[] }
  const told = { room: 0, pressure: [] as boolean[] }
  let batches = 0
  const commit =
    (lane: keyof typeof running): CommitAttempt =>
    async ({ entries }) => {
      await new Promise<void>((resolve) => running[lane].push(resolve))
      stored.push(...entries.map(({ machineId }) => machineId))
      return { refused: new Map(), unfinished: new Set() }
    }
  lanes = new CommitLanes({
    logger: silentLogger,
    createBatchId: () => `batch ${++batches}`,
    blameOf,
    now: () => 1_000_000,
    close: async () => true,
    onPressure: (isHigh) => told.pressure.push(isHigh),
    onCommit: () => {},
    commitValues: commit('values'),
    commitAlarms: commit('alarms'),
    commitAttributes: async () => ({ refused: new Map(), unfinished: new Set() }),
    onAlarmRoom: () => {
      told.room++
    },
  })
  const end = async (lane: keyof typeof running) => {
    await expect.poll(() => running[lane].length).toBeGreaterThan(0)
    for (const resolve of running[lane].splice(0)) resolve()
  }
  return { stored, running, told, end }
}

const append = (machineId: number, ...records: UplinkRecord[]) =>
  lanes.append({ machineId, receivedAt: 1_000_000, records })

it('a value of another machine does not wait for a commit with alarms', async () => {
  const { stored, told, end } = openLanes()
  const raised = append(1, alarm)
  const measured = append(2, value)
  await end('values')
  await measured
  expect(stored).toEqual([2])
  expect(lanes.alarmRoom).toBe(commitLanesLimits.alarmsWaitingMax - 1)
  expect(told.room).toBe(0)
  await end('alarms')
  await raised
  expect(stored).toEqual([2, 1])
  expect(lanes.alarmRoom).toBe(commitLanesLimits.alarmsWaitingMax)
  expect(told.room).toBe(1)
})

it('a machine’s messages are committed in their order, whichever lane its first entry is in', async () => {
  const { stored, running, end } = openLanes()
  const first = [append(1, alarm), append(1, value)]
  const second = [append(2, value), append(2, alarm), append(2, value)]
  await expect.poll(() => [running.values.length, running.alarms.length]).toEqual([1, 1])
  // Both of machine 1 are in the one commit, all of machine 2 in the other.
  await end('alarms')
  await Promise.all(first)
  expect(stored).toEqual([1, 1])
  await end('values')
  await Promise.all(second)
  expect(stored).toEqual([1, 1, 2, 2, 2])
  const third = [append(1, value), append(1, alarm)]
  await end('values')
  await Promise.all(third)
  expect(running.alarms).toEqual([])
})

/** One alarm is committed for a while, and how long the next one then waits for its commit. */
async function restAfter({ running, end }: ReturnType<typeof openLanes>, tookMs: number): Promise<number> {
  const first = append(1, alarm)
  await expect.poll(() => running.alarms.length).toBe(1)
  await sleep(tookMs)
  const second = append(2, alarm)
  await end('alarms')
  await first
  const endedAt = performance.now()
  await expect.poll(() => running.alarms.length, { interval: 1 }).toBe(1)
  const restMs = performance.now() - endedAt
  await end('alarms')
  await second
  return restMs
}

it('beside values, commits with alarms take a quarter of the time at most', async () => {
  const opened = openLanes()
  const tookMs = 20
  const measured = append(3, value)
  await opened.end('values')
  await measured
  // The clock of timers may be some milliseconds behind.
  expect(await restAfter(opened, tookMs)).toBeGreaterThan(tookMs * commitLanesLimits.restFactor - 5)
})

it('without values, commits with alarms do not rest', async () => {
  const tookMs = 500
  expect(await restAfter(openLanes(), tookMs)).toBeLessThan(tookMs * commitLanesLimits.restFactor - 5)
})

it('the bounds of waiting records are those of both lanes together', async () => {
  const { told, end } = openLanes()
  const { recordsWaitingMax } = groupCommitLimits
  const half = recordsWaitingMax / 2
  const many = (machineId: number, count: number) =>
    lanes.append({ machineId, receivedAt: 1_000_000, records: Array<UplinkRecord>(count).fill(value) })
  const first = append(1, alarm)
  const waiting = [many(1, half), many(2, half - 1)]
  expect(told.pressure).toEqual([true])
  await expect(append(3, value)).rejects.toBeInstanceOf(TelemetryBusy)
  await expect(append(3, alarm)).rejects.toBeInstanceOf(TelemetryBusy)
  await end('values')
  await end('alarms')
  await first
  await end('alarms')
  await Promise.all(waiting)
  expect(told.pressure).toEqual([true, false])
  expect(lanes.waiting).toBe(0)
})

it('many records with alarms go with the values', async () => {
  const { running, end } = openLanes()
  const { recordsWithAlarmsMax } = commitLanesLimits
  const birth = append(1, ...Array<UplinkRecord>(recordsWithAlarmsMax).fill(value), alarm)
  await end('values')
  await birth
  expect(running.alarms).toEqual([])
})
