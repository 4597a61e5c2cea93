import type { TestMachine } from '@busbar/testkit'
import { untilTrue } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import type { Blind } from './inject.ts'
import type { Rig } from './rig.ts'
import type { Schedule } from './schedule.ts'

/** A reported lost stretch is in whole batches; a read lies at most this far from the time of its sample. */
const lostSlackMs = 1_000
/** Named in a report; the rest is counted. */
const namedMax = 8

/** The state at the start of a run. */
export interface Marks {
  readonly reads: number
  readonly connectionId: number
  readonly startedAt: Date
  readonly blind: Blind
  /** A clock was stepped: data sent again after it may be taken for another sample. */
  readonly isClockStepped: boolean
  readonly platformStarts: number
  readonly repeats: number
  readonly rowsAgain: number
  isBlind(at: number): boolean
  acknowledgedSince(): number
}

export async function takeMarks(rig: Rig, schedule: Schedule): Promise<Marks> {
  const blindSpans: { from: number; to: number }[] = []
  const count = () => rig.clients.reduce((sum, { client }) => sum + client.acknowledged.size, 0)
  const acknowledgedBefore = count()
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0)::float8 as id from machine_connections`.execute(rig.db)
  return {
    reads: rig.device.reads.length,
    connectionId: rows[0]?.id ?? 0,
    startedAt: new Date(),
    platformStarts: rig.platform.starts,
    repeats: rig.system.repeats,
    rowsAgain: rig.system.rowsAgain,
    isClockStepped: schedule.faults.some(({ kind }) => kind === 'clock'),
    blind: (from, to) => blindSpans.push({ from, to }),
    isBlind: (at) => blindSpans.some(({ from, to }) => at >= from && at <= to),
    acknowledgedSince: () => count() - acknowledgedBefore,
  }
}

/** Acknowledged ⊆ stored, nothing double, nothing that was never sent: of all that was sent since the rig's start. */
export async function checkClients(rig: Rig, marks: Marks): Promise<string[]> {
  const violations: string[] = []
  for (const { client, machine } of rig.clients) {
    const stored = await rig.watcher.countHistory(machine.machineId)
    const gone = rig.restoredAway.get(machine.code)
    const missing = [...client.acknowledged].filter((number) => !stored.has(number) && !gone?.has(number))
    if (missing.length > 0)
      violations.push(`acknowledged but not stored, ${machine.code}: ${listSome(missing)}`)
    violations.push(...listWrong(rig, marks, machine.code, { stored, made: client.made }))
  }
  return violations
}

/** Each number that the agent read is in the history once, or reported as lost if its disk was full. */
export async function checkAgent(
  rig: Rig,
  marks: Marks,
  { msMax, mayLose }: { msMax: number; mayLose: boolean },
): Promise<string[]> {
  const { machineId, code } = rig.agentMachine
  const owed = rig.device.reads.slice(marks.reads).filter(({ at }) => !marks.isBlind(at))
  let stored = new Map<number, number>()
  let missing = owed.map(({ number }) => number)
  await untilTrue(async () => {
    stored = await rig.watcher.countHistory(machineId)
    const lost = mayLose ? await listLostSpans(rig, machineId) : []
    missing = owed
      .filter(({ number }) => !stored.has(number))
      .filter(
        ({ readerAt }) =>
          !lost.some(({ from, to }) => readerAt >= from - lostSlackMs && readerAt <= to + lostSlackMs),
      )
      .map(({ number }) => number)
    return missing.length === 0
  }, msMax)
  return [
    ...(missing.length > 0
      ? [`read by the agent but neither stored nor told to be lost: ${listSome(missing)} of ${owed.length}`]
      : []),
    ...listWrong(rig, marks, code, { stored, made: rig.device.reads.length }),
  ]
}

/**
 * Each stored number of the project's machines has reached its system, in order, and no request came again unless a
 * process that had sent it ended.
 */
export async function checkSystem(
  rig: Rig,
  marks: Marks,
  { faults }: Schedule,
  msMax: number,
): Promise<string[]> {
  const { system, reported, platform } = rig
  const stored = await Promise.all(reported.map(({ machine }) => rig.watcher.countHistory(machine.machineId)))
  const missingOf = (place: number, machine: TestMachine) => {
    const got = system.numbersOf(machine)
    return [...(stored[place]?.keys() ?? [])].filter((number) => !got.has(number))
  }
  const isWhole = () => reported.every(({ machine }, place) => missingOf(place, machine).length === 0)
  await untilTrue(isWhole, msMax)
  const repeats = system.repeats - marks.repeats
  const frozen = faults.filter(
    ({ kind, ...fault }) => kind === 'freeze' && 'target' in fault && fault.target === 'platform',
  )
  const repeatsMax = platform.starts - marks.platformStarts + frozen.length
  return [
    ...reported.flatMap(({ machine }, place) => {
      const missing = missingOf(place, machine)
      return missing.length === 0
        ? []
        : [`stored, but the project's system never got it, ${machine.code}: ${listSome(missing)}`]
    }),
    ...system.faults
      .splice(0)
      .slice(0, namedMax)
      .map((fault) => `at the project's system: ${fault}`),
    ...(repeats > repeatsMax ? [`${repeats} requests came again after their answer, ${repeatsMax} may`] : []),
  ]
}

/**
 * Numbers that appear twice, or were never sent. A number that was taken while a clock was off lies at its
 * time of arrival, and sent again with the clock back, at its own: then it is shown twice, once as uncertain.
 */
function listWrong(
  rig: Rig,
  marks: Marks,
  code: string,
  { stored, made }: { stored: ReadonlyMap<number, number>; made: number },
): string[] {
  const excused = rig.excused.get(code) ?? new Set()
  rig.excused.set(code, excused)
  const twice = [...stored].filter(([, times]) => times > 1)
  if (marks.isClockStepped) for (const [number, times] of twice) if (times === 2) excused.add(number)
  const doubles = twice.map(([number]) => number).filter((number) => !excused.has(number))
  const unknown = [...stored.keys()].filter((number) => !(number >= 1 && number <= made))
  return [
    ...(doubles.length > 0 ? [`more than once in the history of ${code}: ${listSome(doubles)}`] : []),
    ...(unknown.length > 0 ? [`in the history of ${code}, but never sent: ${listSome(unknown)}`] : []),
  ]
}

async function listLostSpans(rig: Rig, machineId: number): Promise<{ from: number; to: number }[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select (extract(epoch from from_at) * 1000)::float8 as from, (extract(epoch from to_at) * 1000)::float8 as to
    from lost_spans where machine_id = ${machineId}`.execute(rig.db)
  return rows
}

/** `machine_connections` has one span after the other for each machine, the last one open if it is online. */
export async function checkConnections(rig: Rig, marks: Marks): Promise<string[]> {
  const listProblems = async (): Promise<string[]> => {
    const online = await rig.watcher.listOnline()
    const { rows: open } = await sql<{ machineId: number; count: number }>`
      select machine_id::float8 as "machineId", count(*)::int as count from machine_connections
      where ended_at is null group by machine_id`.execute(rig.db)
    // Stretches of a stepped clock lie elsewhere, as they must.
    const { rows: overlaps } = await sql<{ machineId: number; a: number; b: number }>`
      select a.machine_id::float8 as "machineId", a.id::float8 as a, b.id::float8 as b
      from machine_connections a join machine_connections b on a.machine_id = b.machine_id and a.id < b.id
      where a.id > ${marks.connectionId} and a.started_at >= ${marks.startedAt} and b.started_at >= ${marks.startedAt}
        and b.started_at <= now() and a.started_at <= now() and coalesce(a.ended_at, 'infinity') > b.started_at
        and coalesce(b.ended_at, 'infinity') > a.started_at`.execute(rig.db)
    const machineIds = [rig.agentMachine, ...rig.clients.map(({ machine }) => machine)]
    return [
      ...machineIds.flatMap(({ machineId, code }) => {
        const count = open.find((row) => row.machineId === machineId)?.count ?? 0
        const due = online.get(machineId) ? 1 : 0
        return count === due ? [] : [`${count} open connections are kept of ${code}, where ${due} is true`]
      }),
      ...overlaps.map(({ machineId, a, b }) => `connections ${a} and ${b} of machine ${machineId} overlap`),
    ]
  }
  const calm = await untilTrue(async () => (await listProblems()).length === 0, 5_000)
  return calm === undefined ? listProblems() : []
}

function listSome(numbers: readonly number[]): string {
  const more = numbers.length - namedMax
  return `${numbers.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
