import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { type Jobs, type QueueJob, queueJob, queueOf } from '../../kernel/jobs/index.ts'
import { askState } from '../agent-config/index.ts'
import { presentValue, type Telemetry } from '../telemetry/index.ts'
import type { Value, Values } from './compare.ts'
import {
  insertSnapshot,
  listMachineWritings,
  listSnapshots,
  listUnsettled,
  updateBefore,
  updateEnded,
  updateSettled,
} from './visit-changes-store.ts'

/** A value that was written last is read back by then (rules/visits.md: read-back). */
const settleS = 10
const concurrency = 4
/** A database that is away, or the process that holds the machine. */
const retryS = [5, 30, 120]
/** Writable variables that are compared; no machine is known to have more. */
const valuesMax = 5_000
/** Of the values of one visit as JSON: texts of a machine may be long. */
const valuesLengthMax = 128 * 1024

interface KeepJob {
  readonly visitId: number
  readonly part: 'before' | 'after'
}

const keepQueue = queueOf<KeepJob>('visitChanges.keep')

interface Deps {
  readonly db: Database
  readonly jobs: Pick<Jobs, 'send'>
  readonly telemetry: Pick<Telemetry, 'listWireTags'>
  readonly link: Pick<EdgeLink, 'latest' | 'tunnel'>
  now(): number
}

/** Has the values kept when a visit gets control, and once more when those written last are read back. */
export const followVisits = ({ jobs }: Deps): DuringFollower<'control.taken' | 'visit.ended'> => ({
  mode: 'during',
  name: 'visitChanges.visits',
  kinds: ['control.taken', 'visit.ended'],
  async follow(trx, facts) {
    for (const { kind, visitId, at } of facts) {
      if (kind === 'control.taken') {
        if (await insertSnapshot(trx, visitId, new Date(at)))
          await jobs.send(trx, keepQueue, { visitId, part: 'before' })
      } else if (await updateEnded(trx, visitId, new Date(at)))
        await jobs.send(trx, keepQueue, { visitId, part: 'after' }, { afterS: settleS })
    }
  },
})

export const keepJob = (deps: Deps): QueueJob =>
  queueJob({
    queue: keepQueue,
    concurrency,
    retryS,
    handle: ({ data: { visitId, part } }) =>
      part === 'before' ? keepBefore(deps, visitId) : settle(deps, visitId),
    adopt: async (trx) => (await listUnsettled(trx)).map((visitId) => ({ visitId, part: 'after' })),
  })

async function keepBefore(deps: Deps, visitId: number): Promise<void> {
  const [visit] = await listSnapshots(deps.db, [visitId])
  if (!visit) return
  const [values, revision] = await Promise.all([
    // A value that came since may be the visit's own.
    readValues(deps, visit.machineId, visit.begunAt.getTime()),
    readRevision(deps, visit.machineId),
  ])
  await updateBefore(deps.db, visitId, { values: withinLength([...values]), revision })
}

/** Of the values before and after only those are kept that differ, and those of variables that were written. */
async function settle(deps: Deps, visitId: number): Promise<void> {
  const { db, now } = deps
  const [visit] = await listSnapshots(db, [visitId])
  if (!visit?.endedAt || visit.settledAt) return
  const { machineId, begunAt, endedAt, before } = visit
  const [after, revision, { writings }] = await Promise.all([
    readValues(deps, machineId),
    readRevision(deps, machineId),
    listMachineWritings(db, machineId, { from: begunAt, to: endedAt, visitIds: [visitId] }),
  ])
  const written = new Set(writings.map(({ tagId }) => tagId))
  const isKept = (tagId: number) =>
    written.has(tagId) || (before.has(tagId) && before.get(tagId) !== after.get(tagId))
  const keptOf = (values: Values) => withinLength([...values].filter(([tagId]) => isKept(tagId)))
  await updateSettled(db, visitId, {
    before: keptOf(before),
    after: keptOf(after),
    revision,
    at: new Date(now()),
  })
}

/** The first of some values, as many as have room. */
function withinLength(values: readonly (readonly [number, Value])[]): Values {
  let left = valuesLengthMax
  return new Map(
    values.filter(([tagId, value]) => {
      left -= JSON.stringify({ [tagId]: value }).length
      return left >= 0
    }),
  )
}

/** The newest values of a machine's writable variables; with `until` only those that were received by then. */
export async function readValues(
  { telemetry, link }: { readonly telemetry: Deps['telemetry']; readonly link: Pick<EdgeLink, 'latest'> },
  machineId: number,
  until = Number.POSITIVE_INFINITY,
): Promise<Values> {
  const tags = await telemetry.listWireTags(machineId, 'en')
  const writable = tags.filter(({ readOnly }) => !readOnly).slice(0, valuesMax)
  if (writable.length === 0) return new Map()
  const latest = await link.latest(
    machineId,
    writable.map(({ tagId }) => tagId),
  )
  const known = latest.filter(({ value, receivedAt }) => value !== null && receivedAt <= until)
  return new Map(known.map(({ tagId, value }) => [tagId, presentValue(value)]))
}

/** Of the agent's configuration; null where it does not answer, or has none that the platform can change. */
async function readRevision({ link }: Pick<Deps, 'link'>, machineId: number): Promise<number | null> {
  try {
    const line = await link.tunnel(machineId)
    if (!line || !(await line.remote()).includes('drivers')) return null
    return (await askState(line)).revision
  } catch {
    return null
  }
}
