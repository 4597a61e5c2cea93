import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cutToWidth, limits, operator } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { JobRefused, type Jobs, queueOf, type TakenJob } from '../../kernel/jobs/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { Slices } from '../../kernel/slices.ts'
import { createToken, hashPassword, hashToken, mayOperate } from '../accounts/index.ts'
import { type Actor, auditAct, writeAudit } from '../audit/index.ts'
import { type CodeRange, createMachines, listKnownCodes, type NewMachine } from '../machine-register/index.ts'
import { createMachinePassword } from '../machines/index.ts'
import * as store from './machine-imports-store.ts'
import { type ImportLine, readMachines } from './read-machines.ts'

/** A job has the id of its import. */
export interface ImportJob {
  readonly importId: string
}

export const importsQueue = queueOf<ImportJob>('machineImports')

/** Machines that are registered at once: a lost right counts, and the progress moves, between two of these parts. */
const partLines = 20
/** Hashes at a time: people who sign in meanwhile must not wait behind a file. */
const hashesAtOnce = 2
const hashRetryMs = 500

export interface ImportsDeps {
  readonly db: Database
  readonly jobs: Pick<Jobs, 'send' | 'cancel'>
  readonly secrets: SecretBox
  /** Whether operators need a second factor. */
  readonly factor: boolean
  readonly selfRegistered: CodeRange
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Queues an import of machines; its lines wait sealed, because some name passwords. Answers its id.
 * @throws Failure 12010302, IMPORTS_FULL, TABLE_UNREADABLE
 */
export async function add(deps: ImportsDeps, actor: Actor, csv: string): Promise<string> {
  const { db, jobs, secrets, now } = deps
  const { userId } = actor.user
  const { good, refused } = await readMachines(csv, deps.selfRegistered)
  const id = randomUUID()
  const slices = new Slices()
  const sealed: Buffer[] = []
  for (let from = 0; from < good.length; from += partLines) {
    const lines = JSON.stringify(good.slice(from, from + partLines))
    sealed.push(secrets.seal(Buffer.from(lines), ownerOf(id, sealed.length, 'lines')))
    await slices.next()
  }
  const lines = good.length + refused.length
  await withTransaction(db, async (trx) => {
    await lockPerson(trx, userId)
    if ((await store.countKept(trx, userId)) >= operator.importsKeptMax) throw new Failure('IMPORTS_FULL')
    await store.removeSaved(trx, userId, operator.importsListed)
    const { address } = actor
    await store.createImport(trx, { id, userId, address, lines, refused }, sealed, new Date(now()))
    await jobs.send(trx, importsQueue, { importId: id }, { id, userId })
    await auditAct(trx, actor, {
      action: 'machine.importStart',
      target: `${lines}`,
      detail: { importId: id },
    })
  })
  return id
}

/** A sealed part cannot be moved to another place, and lines are never taken for secrets. */
const ownerOf = (importId: string, part: number, holds: 'lines' | 'secrets') =>
  `machine import ${importId} ${part} ${holds}`

/** The caller's own import. @throws Failure 404 */
export async function findOwn(db: Database, userId: number, id: string): Promise<store.StoredImport> {
  const found = await store.findImport(db, id)
  if (found?.userId !== userId) throw new Failure('404')
  return found
}

/** The lines of an import that register no machine, in order. */
export async function listRefused(db: Database, one: store.StoredImport): Promise<operator.RefusedLine[]> {
  const parts = await store.listDoneParts(db, one.id)
  return [...one.refused, ...parts.flatMap(({ refused }) => refused)].sort((a, b) => a.line - b.line)
}

/** The secrets of the caller's import that are not saved yet. @throws Failure 404 */
export async function listSecrets(
  { db, secrets }: ImportsDeps,
  actor: Actor,
  id: string,
): Promise<operator.MachineSecrets[]> {
  await findOwn(db, actor.user.userId, id)
  const slices = new Slices()
  const told: operator.MachineSecrets[] = []
  for (const { part, sealed } of await store.listDoneParts(db, id)) {
    const opened = sealed && secrets.open(sealed, ownerOf(id, part, 'secrets'))
    if (opened) told.push(...(JSON.parse(opened.toString()) as operator.MachineSecrets[]))
    await slices.next()
  }
  await auditAct(db, actor, {
    action: 'machine.importSecrets',
    target: `${told.length}`,
    detail: { importId: id },
  })
  return told
}

/**
 * Removes the secrets of the caller's import, once they are saved.
 * @throws Failure 404, IMPORT_SECRETS_CHANGED where the caller cannot have all of them
 */
export async function confirm(
  { db }: ImportsDeps,
  actor: Actor,
  { jobId: id, secrets }: { readonly jobId: string; readonly secrets: number },
): Promise<void> {
  await withTransaction(db, async (trx) => {
    const one = await store.lockImport(trx, id)
    if (one?.userId !== actor.user.userId) throw new Failure('404')
    if (one.endedAt === null || one.secrets !== secrets) throw new Failure('IMPORT_SECRETS_CHANGED')
    await store.removeSecrets(trx, id)
    await auditAct(trx, actor, {
      action: 'machine.importSaved',
      target: `${secrets}`,
      detail: { importId: id },
    })
  })
}

/** Stops the caller's import; its machines of before stay registered, and their secrets can be fetched. */
export async function stop({ db, jobs, now }: ImportsDeps, userId: number, id: string): Promise<void> {
  await withTransaction(db, async (trx) => {
    await findOwn(trx, userId, id)
    await jobs.cancel(trx, importsQueue.name, id)
    await store.endImport(trx, id, { state: 'stopped', reason: '', at: new Date(now()) })
  })
}

/**
 * Registers the machines of an import, part by part. A part is one transaction with its secrets; one whose process ended
 * continues with the next part. A known code is refused, never overwritten (rules/operations.md: machine register).
 */
export async function perform(
  deps: ImportsDeps,
  { id }: TakenJob<ImportJob>,
  run: { readonly signal: AbortSignal; progress(done: number, total: number): Promise<void> },
): Promise<void> {
  const { db, secrets } = deps
  const begun = await store.beginImport(db, id)
  if (!begun) return
  for (let { done } = begun; ; ) {
    run.signal.throwIfAborted()
    const next = await store.findNextPart(db, id)
    if (!next) break
    const opened = secrets.open(next.sealed, ownerOf(id, next.part, 'lines'))
    // Sealed by an installation with another key, and restored into this one.
    if (!opened) return refuse(deps, id, '500')
    const lines = JSON.parse(opened.toString()) as ImportLine[]
    const known = await listKnownCodes(
      db,
      lines.map(({ code }) => code),
    )
    const prepared = await prepareAll(
      lines.filter(({ code }) => !known.has(code)),
      run.signal,
    )
    if (!(await register(deps, begun, { part: next.part, lines, prepared }))) return refuse(deps, id, '403')
    done += lines.length
    await run.progress(done, begun.lines)
  }
  await withTransaction(db, (trx) =>
    store.endImport(trx, id, { state: 'done', reason: '', at: new Date(deps.now()) }),
  )
}

/** Ends an import that another try would not mend. */
async function refuse({ db, now }: ImportsDeps, id: string, reason: '403' | '500'): Promise<never> {
  await withTransaction(db, (trx) =>
    store.endImport(trx, id, { state: 'failed', reason, at: new Date(now()) }),
  )
  throw new JobRefused(reason)
}

interface Prepared {
  readonly row: NewMachine
  readonly told: operator.MachineSecrets
}

/** Registers the machines of a part with their secrets; false once the person is not an operator any more. */
function register(
  { db, secrets, factor, now }: ImportsDeps,
  { id, userId, address }: store.StoredImport,
  wished: {
    readonly part: number
    readonly lines: readonly ImportLine[]
    readonly prepared: readonly Prepared[]
  },
): Promise<boolean> {
  const { part, lines, prepared } = wished
  return withTransaction(db, async (trx) => {
    const one = await store.lockImport(trx, id)
    if (one?.state !== 'running') throw new JobRefused('The import was stopped.')
    // A process that was taken for dead may have registered it.
    if (!(await store.isPartOpen(trx, id, part))) return true
    const may = await mayOperate(trx, userId, { factor }).catch((error: unknown) => {
      if (error instanceof Failure) return false
      throw error
    })
    if (!may) return false
    const made = await createMachines(
      trx,
      prepared.map(({ row }) => row),
    )
    const told = prepared.filter(({ row }) => made.has(row.code)).map((each) => each.told)
    const refused = lines
      .filter(({ code }) => !made.has(code))
      .map(({ line }) => ({ line, reason: 'known' as const }))
    const sealed =
      told.length > 0 ? secrets.seal(Buffer.from(JSON.stringify(told)), ownerOf(id, part, 'secrets')) : null
    await store.finishPart(trx, id, { part, lines: lines.length, created: told.length, sealed, refused })
    if (told.length > 0) {
      const codes = told.map(({ machineCode }) => machineCode)
      await writeAudit(trx, {
        ...{ actorUserId: userId, address, action: 'machine.import', result: 'ok', at: new Date(now()) },
        target: codes.length === 1 ? (codes[0] ?? '') : `${codes.length}`,
        detail: { codes, importId: id },
      })
    }
    return true
  })
}

async function prepareAll(lines: readonly ImportLine[], signal: AbortSignal): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let from = 0; from < lines.length; from += hashesAtOnce) {
    signal.throwIfAborted()
    prepared.push(
      ...(await Promise.all(lines.slice(from, from + hashesAtOnce).map((line) => prepare(line, signal)))),
    )
  }
  return prepared
}

/** The part of the maker's text that fits the name of a machine. */
const nameOf = (text: string): string =>
  cutToWidth(
    text
      .replace(/[<>"'\\`\p{Cc}\p{Bidi_Control}]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    limits.machineNameMax,
  ).trim()

async function prepare(
  { code, type, model, password: given }: ImportLine,
  signal: AbortSignal,
): Promise<Prepared> {
  const password = given ?? createMachinePassword()
  const secret = createToken()
  return {
    row: {
      code,
      type,
      model,
      name: nameOf(model) || nameOf(type) || code,
      secretHash: hashToken(secret),
      passwordHash: await hashPatiently(password, signal),
    },
    told: { machineCode: code, type, model, password, secret },
  }
}

/** A flood of sign-ins fills the queue of hashes; an import waits until there is a place. */
async function hashPatiently(password: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await hashPassword(password, 'known')
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== '429') throw error
      await sleep(hashRetryMs, undefined, { signal })
    }
  }
}

/** Updates the row after a job failed permanently, or was cancelled in the back office. */
export async function giveUp(
  { now }: ImportsDeps,
  trx: Database,
  id: string,
  state: 'failed' | 'stopped',
): Promise<void> {
  await store.endImport(trx, id, { state, reason: state === 'failed' ? '500' : '', at: new Date(now()) })
}

/** Creates jobs for open imports after a restored backup, which contains none. */
export async function adopt({ jobs }: ImportsDeps, trx: Database): Promise<void> {
  for (const { id, userId } of await store.listWithoutJob(trx, importsQueue.name))
    await jobs.send(trx, importsQueue, { importId: id }, { id, userId })
}
