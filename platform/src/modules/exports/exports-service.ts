import { randomUUID } from 'node:crypto'
import { type ErrorCode, exportLimits, type FileAnswer, type Lang } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { every } from '../../kernel/every.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import type { SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { JobRefused, type JobRun, type Jobs, queueOf, type TakenJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AccessPort } from '../access/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { type Files, whileAllowed } from '../files/index.ts'
import { listNames } from '../machine-names/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { NamedSeries } from './export-rows.ts'
import type { ExportWish } from './export-wish.ts'
import * as store from './exports-store.ts'
import { countSamples, previewExport, requirePossible } from './preview-export.ts'
import { type WriteTold, writeExport } from './write-export.ts'

/** A job has the id of its export. */
export interface ExportJob {
  readonly exportId: string
}

export const exportsQueue = queueOf<ExportJob>('exports')

/** The address of the file of an export. */
export const fileAddressOf = (id: string): string => `/api/v1/data/export/${id}/file`

/** Interval at which a running export reports its progress. */
const tellMs = 500
const hourMs = 3_600_000

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export interface ExportsDeps {
  readonly db: Database
  readonly logger: Logger
  readonly jobs: Pick<Jobs, 'send' | 'cancel'>
  readonly files: Files
  readonly access: Pick<AccessPort, 'listVisible'>
  readonly telemetry: Telemetry
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The variables of a wish, as the person calls their devices. */
async function listNamedSeries(
  { db, telemetry }: ExportsDeps,
  userId: number,
  wish: ExportWish,
): Promise<NamedSeries[]> {
  const series = await telemetry.listSeries(wish.tagIds, wish.lang)
  const names = await listNames(db, userId, [...new Set(series.map(({ machineId }) => machineId))])
  // Two devices of the same name could not be told apart in a file.
  const byName = Map.groupBy(names, ([, name]) => name)
  const nameOf = (machineId: number): string => {
    const name = names.get(machineId) ?? ''
    return (byName.get(name)?.length ?? 0) > 1 ? `${name} #${machineId}` : name
  }
  return series.map((one) => ({ ...one, machine: nameOf(one.machineId) }))
}

/** The first rows of a file and its size. */
export async function preview(deps: ExportsDeps, user: SignedIn, wish: ExportWish) {
  requirePossible(wish)
  return previewExport(deps.telemetry, await listNamedSeries(deps, user.userId, wish), wish)
}

/**
 * Queues an export; it begins when no other one of the person is running. Answers its id.
 * @throws The failures of impossible exports, EXPORTS_FULL
 */
export async function add(deps: ExportsDeps, actor: Actor, wish: ExportWish): Promise<string> {
  const { db, telemetry, now } = deps
  const { userId } = actor.user
  requirePossible(wish)
  const series = await listNamedSeries(deps, userId, wish)
  if (wish.format === 'xlsx') await previewExport(telemetry, series, wish)
  else if (wish.interval === undefined) {
    const samples = await countSamples(telemetry, series, wish)
    if (samples > exportLimits.exportSamplesMax) throw new Failure('EXPORT_TOO_LARGE', { data: { samples } })
  }
  const machines = [...new Map(series.map(({ machineId, machine }) => [machineId, machine]))].map(
    ([id, name]) => ({
      id,
      name,
    }),
  )
  const id = randomUUID()
  const at = now()
  await withTransaction(db, async (trx) => {
    await lockPerson(trx, userId)
    const open = await store.listOpen(trx, userId)
    if (open.length >= exportLimits.exportsOpenMax) throw new Failure('EXPORTS_FULL')
    const name = fileNameOf(machines, wish)
    await store.createExport(trx, { id, userId, name, wish: { ...wish, machines }, at: new Date(at) })
    if (open.length === 0) await send(deps, trx, { id, userId })
    await auditAct(trx, actor, {
      action: 'data.export',
      target: machines.map(({ id }) => id).join(','),
      detail: { exportId: id, tags: wish.tagIds.length, from: wish.from, to: wish.to, format: wish.format },
    })
  })
  return id
}

const send = ({ jobs }: ExportsDeps, trx: Database, { id, userId }: { id: string; userId: number }) =>
  jobs.send(trx, exportsQueue, { exportId: id }, { id, userId })

/** Lets a person's next export begin. Call it under their lock, after one of theirs ended. */
async function sendNext(deps: ExportsDeps, trx: Database, userId: number): Promise<void> {
  const [next] = await store.listOpen(trx, userId)
  if (next) await send(deps, trx, { id: next.id, userId })
}

/** Ends an open export without a file, and lets the next one begin. */
async function end(
  deps: ExportsDeps,
  trx: Database,
  one: { readonly id: string; readonly userId: number },
  how: { readonly state: 'failed' | 'cancelled'; readonly reason: string },
): Promise<void> {
  await lockPerson(trx, one.userId)
  const [running] = await store.listOpen(trx, one.userId)
  if (!(await store.endExport(trx, one.id, { ...how, at: new Date(deps.now()) }))) return
  // Only the oldest has a job.
  if (running?.id === one.id) await sendNext(deps, trx, one.userId)
}

/** The caller's own export. @throws Failure 404 */
export async function findOwn(deps: ExportsDeps, user: SignedIn, id: string): Promise<store.StoredExport> {
  const found = await store.findExport(deps.db, id)
  if (found?.userId !== user.userId) throw new Failure('404')
  return found
}

/** Cancels an open export; removes another one with its file. */
export async function cancelOrRemove(deps: ExportsDeps, user: SignedIn, id: string): Promise<void> {
  const { db, jobs, files } = deps
  await withTransaction(db, async (trx) => {
    await lockPerson(trx, user.userId)
    const found = await findOwn({ ...deps, db: trx }, user, id)
    if (found.state === 'waiting' || found.state === 'running') {
      await jobs.cancel(trx, exportsQueue.name, id)
      await end(deps, trx, found, { state: 'cancelled', reason: '' })
      return
    }
    if (found.fileId !== null) await files.remove(trx, found.fileId)
    await store.removeExport(trx, id)
  })
}

/** The names of the devices of an export whose values the person may not see any more. */
export async function listLost(deps: ExportsDeps, one: store.StoredExport): Promise<string[]> {
  const { access, telemetry, now } = deps
  const { machines, tagIds, lang } = one.wish
  const visible = await access.listVisible(
    one.userId,
    machines.map(({ id }) => id),
    now(),
  )
  // After a change of owner the variables of a device are not found, even if the next owner gives the person access.
  const [series, asked] = await Promise.all([
    telemetry.listSeries(tagIds, lang),
    telemetry.listTagNames(tagIds),
  ])
  const there = new Set(series.flatMap(({ versions }) => versions.map(({ id }) => id)))
  const gone = new Set(tagIds.filter((id) => !there.has(id)).map((id) => asked.get(id)?.machineId))
  const isLost = (id: number) => gone.has(id) || !visible.has(id)
  const lost = machines.filter(({ id }) => isLost(id)).map(({ name }) => name)
  return lost.length === 0 && gone.has(undefined) ? machines.map(({ name }) => name) : lost
}

/**
 * The file of the caller's export.
 * @throws Failure 404, FILE_GONE, EXPORT_RIGHT_LOST
 */
export async function download(deps: ExportsDeps, actor: Actor, id: string): Promise<FileAnswer> {
  const { db, files, now } = deps
  const one = await findOwn(deps, actor.user, id)
  const file = one.fileId === null ? undefined : await files.find(db, one.fileId)
  if (!file) throw new Failure('FILE_GONE')
  const requireRight = async () => {
    const lost = await listLost(deps, one)
    if (lost.length > 0) throw rightLost(lost)
  }
  await requireRight()
  const answer = await files.open(file)
  await auditAct(db, actor, { action: 'data.exportDownload', target: id, detail: { name: one.name } })
  return whileAllowed(answer, now, requireRight)
}

const namesShown = 5

function rightLost(names: readonly string[]): Failure {
  const shown = names.slice(0, namesShown)
  const more = names.length - shown.length
  return new Failure('EXPORT_RIGHT_LOST', {
    data: { machines: names },
    text: {
      cn: `您已没有查看以下设备数据的权限：${shown.join('、')}${more > 0 ? ` 等 ${names.length} 台设备` : ''}`,
      en: `You no longer have access to the values of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    },
  })
}

/** Runs an export. One whose process ended begins anew, with another file. */
export async function perform(deps: ExportsDeps, job: TakenJob<ExportJob>, run: JobRun): Promise<void> {
  const { db, telemetry, files, logger, now } = deps
  const one = await store.beginExport(db, job.id)
  if (!one) return
  const { wish, userId } = one
  const told: WriteTold = { rows: 0, progress: 0, damaged: 0, signal: run.signal }
  const tell = async () => {
    await store.noteProgress(db, one.id, told.progress)
    await run.progress(Math.min(Math.floor(told.progress * 1_000), 999), 1_000)
  }
  const failed = (err: unknown) => logger.warn({ err, exportId: one.id }, 'export.notifyFailed')
  const timer = every(tellMs, () => tell().catch(failed), logger)
  try {
    const lost = await listLost(deps, one)
    if (lost.length > 0) throw rightLost(lost)
    const series = await listNamedSeries(deps, userId, wish)
    const file = {
      userId,
      purpose: 'export',
      name: one.name,
      mediaType: mediaTypes[wish.format],
      lifeMs: exportLimits.exportHours * hourMs,
    } as const
    await files.create(file, writeExport(telemetry, series, wish, told), {
      signal: run.signal,
      done: async (trx, { id: fileId }) => {
        await lockPerson(trx, userId)
        const { rows, damaged } = told
        if (!(await store.finishExport(trx, one.id, { fileId, rows, damaged, at: new Date(now()) })))
          throw new JobRefused('The export was cancelled.')
        await sendNext(deps, trx, userId)
      },
    })
    run.offer(fileAddressOf(one.id))
    await run.progress(1_000, 1_000)
  } catch (error) {
    if (run.signal.aborted || !(error instanceof Failure)) throw error
    // Another try would fail in the same way.
    await withTransaction(db, (trx) => end(deps, trx, one, { state: 'failed', reason: error.code }))
    throw new JobRefused(error.code)
  } finally {
    clearInterval(timer)
  }
}

/** Updates the rows after a job failed permanently, or was cancelled in the back office. */
export async function giveUp(
  deps: ExportsDeps,
  trx: Database,
  id: string,
  state: 'failed' | 'cancelled',
): Promise<void> {
  const one = await store.findExport(trx, id)
  const reason: ErrorCode | '' = state === 'failed' ? '500' : ''
  if (one) await end(deps, trx, one, { state, reason })
}

/** Creates jobs for open exports after a restored backup, which contains none. */
export async function adopt(deps: ExportsDeps, trx: Database): Promise<void> {
  for (const one of await store.listWithoutJob(trx, exportsQueue.name)) await send(deps, trx, one)
}

/** `压机 4 2026-11-23.csv`: the device, or how many, and the days of the span. */
function fileNameOf(machines: readonly { readonly name: string }[], wish: ExportWish): string {
  const clock = new ZoneClock(wish.timezone)
  const words: Readonly<Record<Lang, (count: number) => string>> = {
    cn: (count) => `${count} 台设备`,
    en: (count) => `${count} devices`,
  }
  const subject = machines.length === 1 ? (machines[0]?.name ?? '') : words[wish.lang](machines.length)
  const safe = subject.replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_').trim()
  const [first, last] = [clock.date(wish.from), clock.date(wish.to - 1)]
  return `${safe} ${first === last ? first : `${first} – ${last}`}.${wish.format}`
}
