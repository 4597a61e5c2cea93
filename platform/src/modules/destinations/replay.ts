import { createHash } from 'node:crypto'
import { projectLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { JobRefused, type JobRun, type Jobs, queueOf, type TakenJob } from '../../kernel/jobs/index.ts'
import { historyRowId, type NewRow, readHistory, readUntilOf } from '../project-stream/index.ts'
import type { Links, ProjectPlan, Quota } from '../projects/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { bodyBytesMax } from './batch.ts'
import { insertDelivery } from './deliveries-store.ts'
import { findProjectOf } from './destinations-store.ts'
import { type LaneSettings, listSettings, listZones } from './lanes-store.ts'
import { endReplay, findReplay, insertReplay, moveReplay, type StoredReplay } from './replays-store.ts'
import { formatRow } from './row-forms.ts'
import type { TestDeps } from './test-call.ts'
import type { SentRow, Transport } from './transport.ts'

const spanMsMax = projectLimits.historyDays * 86_400_000

export interface ReplayDeps extends TestDeps {
  readonly links: Pick<Links, 'stateOf' | 'isTrusted' | 'listPlans'>
  readonly quota: Quota
  readonly telemetry: Pick<Telemetry, 'readSamples'>
  readonly jobs: Pick<Jobs, 'send'>
  now(): number
}

export const replayQueue = queueOf<{ readonly destinationId: number }>('destinations.replay')

/** Queues a replay of a span of the past to a destination of the project. */
export async function startReplay(
  { db, jobs }: Pick<ReplayDeps, 'db' | 'jobs'>,
  projectId: number,
  { targetId, from, to }: { readonly targetId: number; readonly from: number; readonly to: number },
  { userId, now }: { readonly userId: number; readonly now: number },
): Promise<string> {
  if (from >= to || to > now || to - from > spanMsMax) throw new Failure('REPLAY_SPAN')
  return withTransaction(db, async (trx) => {
    if ((await findProjectOf(trx, targetId)) !== projectId) throw new Failure('404')
    if (!(await insertReplay(trx, targetId, { from: new Date(from), to: new Date(to) })))
      throw new Failure('REPLAY_RUNNING')
    return jobs.send(trx, replayQueue, { destinationId: targetId }, { userId })
  })
}

/**
 * Sends the rows of history machine by machine, each after the one before was accepted. Their ids are of machine and
 * instant, so that a receiver knows a row which it has; they are counted.
 */
export async function replay(
  deps: ReplayDeps,
  { data: { destinationId } }: TakenJob<{ readonly destinationId: number }>,
  run: JobRun,
): Promise<void> {
  const { db } = deps
  const found = await findReplay(db, destinationId)
  if (!found) return
  const settings = await requireSettings(deps, destinationId)
  const transport = deps.openTransport(settings.type, 'replay')
  try {
    await sendSpan({ ...deps, transport }, found, settings, run)
  } finally {
    transport.close()
  }
  await withTransaction(db, (trx) => endReplay(trx, destinationId, { isSent: true }))
}

interface SpanDeps extends ReplayDeps {
  readonly transport: Transport
}

async function sendSpan(
  deps: SpanDeps,
  found: StoredReplay,
  settings: LaneSettings,
  run: JobRun,
): Promise<void> {
  const { db } = deps
  const { destinationId } = settings
  const plan = deps.links.listPlans().find(({ projectId }) => projectId === settings.projectId)
  const links = [...(plan?.links ?? [])].sort((a, b) => a.linkId - b.linkId)
  for (const [place, link] of links.entries()) {
    if (!plan || link.linkId < found.linkId) continue
    const zone = (await listZones(db, [link.machineId])).get(link.machineId) ?? 'UTC'
    const from = link.linkId === found.linkId ? found.sentTo.getTime() : found.from.getTime()
    const span = { from, to: found.to.getTime() }
    for await (const { rows, to } of readHistory(deps, plan, link, span, run.signal)) {
      await sendWindow(deps, await requireSettings(deps, destinationId), rows, { zone, plan })
      await moveReplay(db, destinationId, link.linkId, new Date(to))
      const part = (to - found.from.getTime()) / (found.to.getTime() - found.from.getTime())
      await run.progress(Math.floor(((place + part) / links.length) * 1_000), 1_000)
    }
  }
}

async function requireSettings({ db, now }: ReplayDeps, destinationId: number): Promise<LaneSettings> {
  const [settings] = await listSettings(db, [destinationId], new Date(now()))
  if (!settings) throw new JobRefused('The destination is off.')
  return settings
}

async function sendWindow(
  deps: SpanDeps,
  settings: LaneSettings,
  rows: readonly NewRow[],
  { zone, plan }: { readonly zone: string; readonly plan: ProjectPlan },
): Promise<void> {
  let batch: ReplayedRow[] = []
  let bytes = 0
  for (const row of rows) {
    const id = historyRowId(settings.projectId, row)
    const sent = formatRow({ ...row, id }, settings.format, zone)
    const size = Buffer.byteLength(sent)
    if (batch.length > 0 && (batch.length >= settings.rowsMax || bytes + size > bodyBytesMax)) {
      await sendBatch(deps, settings, batch)
      batch = []
      bytes = 0
    }
    batch.push({
      ...{ text: row.text, sent, linkId: row.linkId ?? 0 },
      readUntil: readUntilOf(row, plan),
    })
    bytes += size + 2
  }
  if (batch.length > 0) await sendBatch(deps, settings, batch)
}

interface ReplayedRow extends SentRow {
  readonly linkId: number
  /** The next row of its machine has values of this time or later. */
  readonly readUntil: number
}

/**
 * Sends a request. Its rows are counted and the place is moved in one transaction, so that no failure has rows counted
 * again that were accepted. Its id is of its rows: history may have others when it is read again.
 */
async function sendBatch(
  deps: SpanDeps,
  settings: LaneSettings,
  batch: readonly ReplayedRow[],
): Promise<void> {
  const { db, links, quota, transport, now } = deps
  const { projectId, destinationId } = settings
  if (!links.isTrusted()) throw new Error('The machines of projects are not known now.')
  const states = batch.map(({ linkId }) => links.stateOf(linkId))
  if (states.includes('paused')) throw new Error('The project reports nothing now.')
  if (states.some((state) => state !== 'active')) return
  const left = (await quota.listLeft(db, [projectId])).get(projectId) ?? 0
  if (left < batch.length) throw new JobRefused('The quota of the project is used up.')
  const at = now()
  const { end, ms, bytes } = await transport.send(settings, {
    id: `${destinationId}-h${digestOf(batch)}`,
    rows: batch,
    now: at,
  })
  if (end.means === 'gone') throw new JobRefused('The destination answered 410.')
  if (end.fault !== null) throw new Error(`The destination did not accept rows: ${end.status ?? end.fault}`)
  await withTransaction(db, async (trx: Database) => {
    await quota.take(trx, projectId, batch.length)
    await insertDelivery(trx, {
      ...{ destinationId, at: new Date(at), state: 'ok', rows: batch.length, bytes, ms },
      ...{ status: end.status, attempts: 1, fault: null, answer: '' },
    })
    const { linkId, readUntil } = batch.at(-1) as ReplayedRow
    await moveReplay(trx, destinationId, linkId, new Date(readUntil))
  })
}

function digestOf(batch: readonly ReplayedRow[]): string {
  const hash = createHash('sha256')
  for (const { sent } of batch) hash.update(sent)
  return hash.digest('hex').slice(0, 32)
}
