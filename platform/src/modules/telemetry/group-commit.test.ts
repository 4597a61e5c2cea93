import { afterEach, describe, expect, it } from 'vitest'
import { type Logger, silentLogger } from '../../kernel/logger.ts'
import { RecordsRefused, StoreFailed, TelemetryBusy } from './append-errors.ts'
import { blameOf } from './batch-writer.ts'
import { groupCommitLimits } from './commit-batch.ts'
import { GroupCommit } from './group-commit.ts'
import type { BatchEntry } from './plan-batch.ts'
import { RecordRoom } from './record-room.ts'
import type { UplinkRecord } from './uplink-record.ts'

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code })
const connectionLost = () => new Error('Connection terminated unexpectedly')

const whole = { refused: new Map<number, string[]>(), unfinished: new Set<number>() }

let commits: GroupCommit

afterEach(() => commits.stop(0))

/** A store in memory: `fault` decides how an attempt fails, before it is stored or after. */
function openStore(
  fault: (
    entries: readonly BatchEntry[],
    attempt: number,
  ) => { before?: unknown; after?: unknown } | undefined,
  closeFault: (call: number) => unknown = () => undefined,
  logger: Logger = silentLogger,
) {
  const stored: number[] = []
  const committed = new Set<string>()
  const closed = new Set<string>()
  const clock = { now: 1_000_000 }
  let attempts = 0
  let closes = 0
  let batches = 0
  commits = new GroupCommit({
    logger,
    createBatchId: () => `batch ${++batches}`,
    blameOf,
    now: () => clock.now,
    room: new RecordRoom(() => {}),
    onCommit: () => {},
    async commit({ id: batchId, entries }) {
      await new Promise((resolve) => setImmediate(resolve))
      if (committed.has(batchId)) return whole
      const failing = fault(entries, ++attempts)
      if (failing?.before) throw failing.before
      expect(closed.has(batchId)).toBe(false)
      committed.add(batchId)
      stored.push(...entries.map(({ machineId }) => machineId))
      if (failing?.after) throw failing.after
      return whole
    },
    async close(batchId) {
      if (committed.has(batchId)) return false
      closed.add(batchId)
      const failing = closeFault(++closes)
      if (failing) throw failing
      return true
    },
  })
  return { stored, clock, attempts: () => attempts }
}

const append = (machineId: number, receivedAt = 1_000_000) =>
  commits.append({ machineId, receivedAt, records: [{ kind: 'attributes', attributes: {} }] })

const hasBad = (entries: readonly BatchEntry[], bad: number) =>
  entries.some(({ machineId }) => machineId === bad)

describe('an entry that can never be stored', () => {
  it.each([
    ['an error of data', sqlError('22P02')],
    ['an error inside the server', sqlError('XX000')],
    ['a missing right', sqlError('42501')],
    ['an error a trigger raised', sqlError('P0001')],
    ['an error of our own code', new Error('planned badly')],
    ['a thing that is no error', 'thrown as it is'],
  ])('is refused alone: %s', async (_, error) => {
    const { stored } = openStore((entries) => (hasBad(entries, 4) ? { before: error } : undefined))
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((id) => append(id)))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
    ])
    expect(outcomes[3]).toMatchObject({ reason: expect.any(RecordsRefused) })
    expect(stored).toEqual([1, 2, 3, 5, 6, 7])
  })

  it('is given back, not acknowledged, where the fault is the store’s', async () => {
    const { stored } = openStore((entries) =>
      hasBad(entries, 2) ? { before: sqlError('57014') } : undefined,
    )
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => append(id)))
    expect(outcomes[1]).toMatchObject({ reason: expect.any(StoreFailed) })
    expect(stored).toEqual([1, 3])
  })
})

describe('a message of a machine after an entry that is given back', () => {
  const early = 1
  const isFirst = ({ machineId, receivedAt }: BatchEntry) => machineId === 2 && receivedAt === early

  it('is given back, too, so that nothing is stored before earlier messages', async () => {
    const { stored } = openStore((entries) =>
      entries.some(isFirst) ? { before: sqlError('57014') } : undefined,
    )
    const sent = [append(2, early), append(3), append(2), append(4)]
    const later = Promise.allSettled([append(2)])
    const outcomes = await Promise.allSettled(sent)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await later).toMatchObject([{ reason: expect.any(StoreFailed) }])
    expect(stored).toEqual([3, 4])
    await append(2)
    expect(stored).toEqual([3, 4, 2])
  })
})

describe('a machine whose row another transaction has locked', () => {
  const locked = sqlError('55P03')

  it('is tried again alone, and stored once the lock is gone', async () => {
    let tries = 0
    const { stored } = openStore((entries) => {
      if (!hasBad(entries, 2)) return undefined
      if (entries.length === 1) tries++
      return tries < groupCommitLimits.lockedTriesMax ? { before: locked } : undefined
    })
    await Promise.all([1, 2, 3].map((id) => append(id)))
    expect(stored.sort()).toEqual([1, 2, 3])
  })

  it('is given back if the lock stays, with everything the machine sent, and delays no other machine', async () => {
    let triesAlone = 0
    const { stored } = openStore((entries) => {
      if (!hasBad(entries, 2)) return undefined
      if (entries.length === 1) triesAlone++
      return { before: locked }
    })
    const ids = [1, ...Array<number>(20).fill(2), 3]
    const outcomes = await Promise.allSettled(ids.map((id) => append(id)))
    const others = outcomes.filter((_, place) => ids[place] !== 2)
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: expect.any(StoreFailed) })
    expect(stored).toEqual([1, 3])
    expect(triesAlone).toBeLessThanOrEqual(groupCommitLimits.lockedTriesMax)
  })
})

it('failures of the store are logged once a second', async () => {
  const lines: string[] = []
  openStore(() => ({ before: sqlError('53100') }), undefined, {
    ...silentLogger,
    warn: (_, message) => lines.push(message),
    error: (_, message) => lines.push(message),
  })
  for (let round = 0; round < 5; round++) await expect(append(round)).rejects.toBeInstanceOf(StoreFailed)
  expect(lines).toEqual(['commit.failed', 'store.failed'])
})

it('a passing error is tried once more with everything in one batch', async () => {
  const { stored, attempts } = openStore((_, attempt) =>
    attempt === 1 ? { before: sqlError('23505') } : undefined,
  )
  await Promise.all([append(1), append(2)])
  expect(stored).toEqual([1, 2])
  expect(attempts()).toBe(2)
})

it('a full disk gives all back without trying each of them', async () => {
  const { stored, attempts } = openStore(() => ({ before: sqlError('53100') }))
  const count = 1_000
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, id) => append(id)))
  expect(
    outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreFailed),
  ).toBe(true)
  expect(stored).toEqual([])
  expect(attempts()).toBeLessThan(100)
})

it('entries with which the connection is lost again and again are given back', async () => {
  const { attempts } = openStore(() => ({ before: connectionLost() }))
  await expect(append(1)).rejects.toBeInstanceOf(StoreFailed)
  expect(attempts()).toBe(groupCommitLimits.lossesMax)
})

it('births that wait for their parts send away only entries that would wait with them', async () => {
  const receivedAt = Date.UTC(2026, 0, 1)
  const count = 80_000
  const birth = Array.from(
    { length: count },
    (_, place): UplinkRecord => ({
      kind: 'sample',
      group: '',
      tag: `t${place}`,
      type: 'float64',
      value: 1,
      quality: 192,
      time: receivedAt,
      late: false,
    }),
  )
  let isLast = false
  commits = new GroupCommit({
    logger: silentLogger,
    createBatchId: () => 'batch',
    blameOf,
    now: () => receivedAt,
    room: new RecordRoom(() => {}),
    onCommit: () => {},
    async commit({ entries }) {
      await new Promise((resolve) => setImmediate(resolve))
      return entries[0]?.parts && !isLast ? { ...whole, unfinished: new Set([0]) } : whole
    },
    close: async () => true,
  })
  const send = (machineId: number) => commits.append({ machineId, receivedAt, records: birth })
  const other = 9
  const births: Promise<unknown>[] = []
  // The records of one machine that wait.
  births.push(send(1))
  await append(other)
  births.push(send(1))
  await append(other)
  await expect(append(1)).rejects.toBeInstanceOf(TelemetryBusy)
  // The records of all machines.
  for (const machineId of [2, 3, 4]) {
    births.push(send(machineId))
    await append(other)
  }
  expect(commits.waiting).toBe(groupCommitLimits.recordsWaitingMax)
  await expect(send(5)).rejects.toBeInstanceOf(TelemetryBusy)
  await append(other)
  isLast = true
  await Promise.all(births)
  await append(1)
  expect(commits.waiting).toBe(0)
})

describe('a commit whose answer was lost', () => {
  it('is found, and nothing is stored twice', async () => {
    const { stored } = openStore((_, attempt) => (attempt === 1 ? { after: connectionLost() } : undefined))
    await Promise.all([append(1), append(2)])
    expect(stored).toEqual([1, 2])
  })

  it('is found before a split as well', async () => {
    // It was committed, and then fails for another reason before anybody could see that.
    const { stored } = openStore((_, attempt) => (attempt === 1 ? { after: sqlError('XX000') } : undefined))
    await Promise.all([append(1), append(2)])
    expect(stored).toEqual([1, 2])
  })
})

it('a close whose answer is lost does not count as a commit: the entries are stored one by one', async () => {
  const { stored } = openStore(
    (entries) => (hasBad(entries, 2) ? { before: sqlError('XX000') } : undefined),
    (call) => (call === 1 ? connectionLost() : undefined),
  )
  const outcomes = await Promise.allSettled([1, 2, 3].map((id) => append(id)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored).toEqual([1, 3])
})

it('the oldest record in hand is known while its batch is split', async () => {
  const seen: (number | undefined)[] = []
  openStore((entries) => {
    seen.push(commits.oldestAt)
    return hasBad(entries, 3) ? { before: sqlError('XX000') } : undefined
  })
  // The clock was set back between them: the one that came last has the oldest time.
  await Promise.allSettled([append(1, 50), append(2, 40), append(3, 30), append(4, 20)])
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.slice(0, -1).every((at) => at === 20)).toBe(true)
  expect(commits.oldestAt).toBeUndefined()
})

it('records that come back after a failure of the store are stalled since the first of them', async () => {
  let isBroken = true
  const { clock } = openStore(() => (isBroken ? { before: sqlError('53100') } : undefined))
  await expect(append(1)).rejects.toBeInstanceOf(StoreFailed)
  clock.now += 6_000
  await expect(append(1)).rejects.toBeInstanceOf(StoreFailed)
  clock.now += 6_000
  expect(commits.stalledMs).toBe(12_000)
  isBroken = false
  await append(1)
  expect(commits.stalledMs).toBe(0)
})

describe('a storm of alarms', () => {
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
  const raise = (machineId: number) => commits.append({ machineId, receivedAt: 1_000_000, records: [alarm] })

  it('lets the values of the other machines past, and keeps the order of each machine', async () => {
    const { alarmsPerBatchMax } = groupCommitLimits
    const batches: number[][] = []
    openStore((entries) => {
      batches.push(entries.map(({ machineId }) => machineId))
      return undefined
    })
    const machines = Array.from({ length: 2 * alarmsPerBatchMax + 1 }, (_, place) => place + 1)
    const last = machines.length
    await Promise.all([...machines.map(raise), append(last), append(1), append(1_000)])
    const first = machines.slice(0, alarmsPerBatchMax)
    expect(batches).toEqual([
      [...first, 1_000],
      machines.slice(alarmsPerBatchMax, 2 * alarmsPerBatchMax),
      // Entries behind an alarm go behind the alarms that came before it.
      [last, last, 1],
    ])
  })
})
