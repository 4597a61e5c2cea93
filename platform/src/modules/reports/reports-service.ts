import { Readable } from 'node:stream'
import {
  type reports as contract,
  type FileAnswer,
  type InputOf,
  type Lang,
  reportLimits,
} from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Jobs, queueOf } from '../../kernel/jobs/index.ts'
import type { AccessPort } from '../access/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { type Files, whileAllowed } from '../files/index.ts'
import {
  byOf,
  detailOf,
  findRight,
  idsOf,
  lockSpace,
  presentRow,
  requireEdit,
  requireEditable,
  requireRight,
  requireSeen,
  type Space,
  spaceOf,
  spaceOfCall,
} from '../spaces/index.ts'
import { leftOutLines } from './print/left-out.ts'
import { printPictures } from './print/print.ts'
import { belongs, seenByOwner } from './report-rights.ts'
import { Writer } from './report-words.ts'
import * as store from './reports-store.ts'
import { composeForOwner, parseAttachmentKey, type RunDeps, RunRefused } from './run-report.ts'
import * as runs from './runs-store.ts'
import { lastDue, nextDue } from './schedule.ts'

export const reportsQueue = queueOf<{ runId: number }>('reports')

export interface ReportsDeps extends RunDeps {
  readonly access: Pick<AccessPort, 'list' | 'listVisible' | 'listAudience' | 'listColleagues'>
  readonly jobs: Pick<Jobs, 'send'>
  readonly files: Pick<Files, 'create' | 'remove' | 'find' | 'open'>
}

/** A caller with the language of their answers. */
export type Caller = Actor & { readonly lang: Lang }

type Written = Omit<InputOf<typeof contract.createReport>, 'eid'>

/** A report that the caller may see. Throws 404. */
const findOwn = async (db: Database, { user }: Actor, id: number) =>
  requireSeen(db, user.userId, await store.findReport(db, id))

/** The same for one that the caller changes, locked. Throws 403, too. */
const findEditable = async (trx: Database, { user }: Actor, id: number) =>
  requireEditable(trx, user.userId, await store.findReport(trx, id, true))

/** The reports of a space. Throws 403. */
export async function listReports(
  deps: ReportsDeps,
  eid: number | undefined,
  { user }: Actor,
): Promise<contract.ReportRow[]> {
  const space = spaceOfCall(user.userId, eid)
  const right = await requireRight(deps.db, user.userId, space)
  return (await store.listReports(deps.db, space)).map((row) => ({
    ...presentRow(row, right),
    schedule: row.schedule,
    formats: [...row.formats],
    machines: row.content.machineIds.length,
    recipients: row.recipients,
    enabled: row.nextAt !== null,
    nextAt: row.nextAt?.getTime() ?? null,
    lastRun: row.lastAt && {
      at: row.lastAt.getTime(),
      state: row.lastState ?? 'waiting',
      error: row.lastError,
    },
  }))
}

/** A report as the caller may see it: devices that they may not see are left out. */
export async function getReport(deps: ReportsDeps, actor: Actor, id: number): Promise<contract.Report> {
  const report = await findOwn(deps.db, actor, id)
  const { mayEdit } = report
  const { machineIds, tags, parts } = report.content
  const mine = await deps.access.listVisible(actor.user.userId, machineIds, actor.now)
  const owned = await seenByOwner(deps, spaceOf(report), machineIds, actor.now)
  const isSeen = (machineId: number) => mine.has(machineId) && owned.has(machineId)
  const recipients = mayEdit ? await store.listRecipients(deps.db, id) : { userIds: [], contactIds: [] }
  return {
    id,
    eid: report.enterpriseId,
    name: report.name,
    schedule: report.schedule,
    content: {
      machineIds: machineIds.filter(isSeen),
      tags: tags.filter(({ machineId }) => isSeen(machineId)),
      parts,
    },
    formats: [...report.formats],
    recipients: { userIds: [...recipients.userIds], contactIds: [...recipients.contactIds] },
    enabled: report.nextAt !== null,
    nextAt: report.nextAt?.getTime() ?? null,
    mayEdit,
    hiddenMachines: machineIds.filter((machineId) => !isSeen(machineId)).length,
  }
}

/** Throws REPORT_EMPTY for a content that shows nothing, REPORT_MACHINES for one of other people's machines. */
async function checkContent(
  deps: ReportsDeps,
  space: Space,
  { machineIds, tags, parts }: contract.ReportContent,
  { user, now }: Actor,
): Promise<void> {
  const needsTags = parts.includes('statistics') || parts.includes('trends')
  if (machineIds.length === 0 || (needsTags && tags.length === 0)) throw new Failure('REPORT_EMPTY')
  const chosen = new Set(machineIds)
  if (!tags.every(({ machineId }) => chosen.has(machineId))) throw new Failure('REPORT_MACHINES')
  const mine = await deps.access.listVisible(user.userId, machineIds, now)
  const allowed = await seenByOwner(deps, space, machineIds, now)
  if (!machineIds.every((id) => mine.has(id) && allowed.has(id))) throw new Failure('REPORT_MACHINES')
}

/** The people who can receive reports of a space about some machines (rules/data-centre.md: recipients of a report). */
async function listChoosable(
  deps: ReportsDeps,
  space: Space,
  machineIds: readonly number[],
  { user, now }: Actor,
): Promise<{ people: store.Addressee[]; contacts: store.Addressee[] }> {
  const ids =
    'userId' in space
      ? [user.userId, ...(await listAudience(deps, user.userId, machineIds, now))]
      : await store.listMembers(deps.db, space.enterpriseId)
  return {
    people: await store.listPeople(deps.db, [...new Set(ids)]),
    contacts: await store.listContacts(deps.db, space),
  }
}

/** The people who may see some machines; empty for machines whose keys the caller does not hold. */
async function listAudience(
  { access }: Pick<ReportsDeps, 'access'>,
  userId: number,
  machineIds: readonly number[],
  now: number,
): Promise<number[]> {
  const rights = await access.list(userId, machineIds, now)
  const keyed = machineIds.filter((id) => rights.get(id)?.rights.has('bkey+'))
  if (keyed.length === 0) return []
  const audience = await access.listAudience(keyed, now)
  return audience.filter((one) => one.access.rights.has('visitor+')).map((one) => one.userId)
}

/** The possible receivers of a report. Throws 403. */
export async function listRecipientChoices(
  deps: ReportsDeps,
  { eid, machineIds }: { readonly eid?: number | undefined; readonly machineIds: readonly number[] },
  actor: Actor,
) {
  const space = spaceOfCall(actor.user.userId, eid)
  await requireEdit(deps.db, actor.user.userId, space)
  const { people, contacts } = await listChoosable(deps, space, machineIds, actor)
  const consents = await deps.requests.list(
    deps.db,
    space,
    people.flatMap(({ userId }) => userId ?? []),
  )
  return {
    people: people.map(({ userId, name, email }) => ({
      userId: userId as number,
      name,
      hasEmail: email !== null,
      state: consents.get(userId as number)?.state ?? ('none' as const),
    })),
    contacts: contacts.map(({ contactId, name, email }) => ({
      id: contactId as number,
      name,
      email: email ?? '',
    })),
  }
}

/** Throws REPORT_RECIPIENTS; present recipients may always stay. */
async function checkRecipients(
  deps: ReportsDeps,
  space: Space,
  { recipients, content }: Pick<Written, 'recipients' | 'content'>,
  actor: Actor,
  former: store.Recipients = { userIds: [], contactIds: [] },
): Promise<void> {
  const { userIds, contactIds } = recipients
  if (userIds.length + contactIds.length > reportLimits.recipientsPerReport)
    throw new Failure('REPORT_RECIPIENTS')
  const { people, contacts } = await listChoosable(deps, space, content.machineIds, actor)
  const users = new Set([...former.userIds, ...people.map(({ userId }) => userId)])
  const asked = new Set([...former.contactIds, ...contacts.map(({ contactId }) => contactId)])
  if (!userIds.every((id) => users.has(id)) || !contactIds.every((id) => asked.has(id)))
    throw new Failure('REPORT_RECIPIENTS')
}

const bodyOf = (
  { name, schedule, content, formats, enabled }: Written,
  { lang, now }: Caller,
): store.ReportBody => ({
  name,
  schedule: scheduleOf(schedule),
  content: {
    ...content,
    machineIds: [...new Set(content.machineIds)],
    parts: [...new Set(content.parts)],
    tags: [
      ...new Map(
        content.tags.map((tag) => [JSON.stringify([tag.machineId, tag.group, tag.tag]), tag]),
      ).values(),
    ],
  },
  formats: [...new Set(formats)],
  lang,
  nextAt: enabled === false ? null : new Date(nextDue(scheduleOf(schedule), now).at),
})

/** When a report is made next. */
export const nextReportAt = (schedule: contract.ReportSchedule, now: number): Date =>
  new Date(nextDue(schedule, now).at)

const scheduleOf = ({
  weekday = 1,
  monthDay = 1,
  ...rest
}: Written['schedule']): contract.ReportSchedule => ({
  ...rest,
  weekday,
  monthDay,
})

/** Adds a report to a space. Throws 403, REPORTS_FULL, REPORT_EMPTY, REPORT_MACHINES, REPORT_RECIPIENTS. */
export async function addReport(
  deps: ReportsDeps,
  caller: Caller,
  eid: number | undefined,
  wish: Written,
): Promise<number> {
  const space = spaceOfCall(caller.user.userId, eid)
  await requireEdit(deps.db, caller.user.userId, space)
  await checkContent(deps, space, wish.content, caller)
  await checkRecipients(deps, space, wish, caller)
  const id = await withTransaction(deps.db, async (trx) => {
    await lockSpace(trx, space)
    if ((await store.countReports(trx, space)) >= reportLimits.reportsPerSpace)
      throw new Failure('REPORTS_FULL')
    const id = await store.insertReport(trx, space, bodyOf(wish, caller), byOf(caller))
    await setRecipients(deps, trx, id, space, wish, caller)
    await note(trx, caller, 'report.create', id, space)
    return id
  })
  await askRecipients(deps, space, wish.recipients, caller.now)
  return id
}

/** Sets who gets a report: a caller who adds themselves agrees by this. */
async function setRecipients(
  { requests }: ReportsDeps,
  trx: Database,
  id: number,
  space: Space,
  { recipients }: Pick<Written, 'recipients'>,
  { user, lang, now }: Caller,
): Promise<void> {
  await store.setRecipients(trx, id, recipients)
  if (recipients.userIds.includes(user.userId)) await requests.agree(trx, space, user.userId, lang, now)
}

/** Asks the people who were not asked, after the report is saved: what fails here is made up by the next run. */
async function askRecipients(
  { db, requests }: ReportsDeps,
  space: Space,
  { userIds }: store.Recipients,
  now: number,
): Promise<void> {
  const people = await store.listPeople(db, userIds)
  await requests.ask(space, people.map(store.readerOf), now)
}

/** Changes a report. Throws 403, 404, REPORT_EMPTY, REPORT_MACHINES, REPORT_RECIPIENTS. */
export async function changeReport(
  deps: ReportsDeps,
  caller: Caller,
  id: number,
  wish: Written,
): Promise<void> {
  const report = await requireEditable(deps.db, caller.user.userId, await store.findReport(deps.db, id))
  const space = spaceOf(report)
  await checkContent(deps, space, wish.content, caller)
  await checkRecipients(deps, space, wish, caller, await store.listRecipients(deps.db, id))
  await withTransaction(deps.db, async (trx) => {
    await findEditable(trx, caller, id)
    await store.updateReport(trx, id, bodyOf(wish, caller), byOf(caller))
    await setRecipients(deps, trx, id, space, wish, caller)
    await note(trx, caller, 'report.update', id, space)
  })
  await askRecipients(deps, space, wish.recipients, caller.now)
}

/** Deletes a report with its runs and files. Throws 403, 404. */
export async function deleteReport(deps: ReportsDeps, caller: Caller, id: number): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const report = await findEditable(trx, caller, id)
    for (const fileId of await runs.listFileIds(trx, id)) await deps.files.remove(trx, fileId)
    await store.deleteReport(trx, id)
    await note(trx, caller, 'report.delete', id, spaceOf(report))
  })
}

async function note(trx: Database, actor: Actor, action: string, id: number, space: Space): Promise<void> {
  await auditAct(trx, actor, { action, target: `report/${id}`, detail: detailOf(space) })
}

/** Queues a run of the last period. Throws 403, 404, REPORT_RUNNING. */
export async function startRun(
  deps: ReportsDeps,
  caller: Caller,
  id: number,
  isSent: boolean,
): Promise<number> {
  return withTransaction(deps.db, async (trx) => {
    const report = await findEditable(trx, caller, id)
    if (await runs.isRunning(trx, id)) throw new Failure('REPORT_RUNNING')
    const { from, to } = lastDue(report.schedule, caller.now)
    const runId = await runs.createRun(trx, {
      reportId: id,
      dueAt: null,
      askedBy: caller.user.userId,
      isSent,
      from: new Date(from),
      to: new Date(to),
      at: new Date(caller.now),
    })
    if (runId === undefined) throw new Failure('REPORT_RUNNING')
    await note(trx, caller, 'report.run', id, spaceOf(report))
    await deps.jobs.send(trx, reportsQueue, { runId }, { userId: caller.user.userId })
    return runId
  })
}

const dueReportsPerRun = 100

/**
 * Queues the runs of due reports, in the transaction that moves them to their next time. After several missed times
 * only the latest is made up.
 */
export async function queueDue(deps: Pick<ReportsDeps, 'db' | 'jobs'>, now: number): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const at = new Date(now)
    for (const report of await store.lockDueReports(trx, at, dueReportsPerRun)) {
      const due = lastDue(report.schedule, now)
      const dueAt = new Date(due.at)
      // The report was changed to a time that is still to come.
      if (report.nextAt && due.at >= report.nextAt.getTime()) {
        const period = { from: new Date(due.from), to: new Date(due.to) }
        const run = { reportId: report.id, dueAt, askedBy: null, isSent: true, ...period, at }
        const runId = await runs.createRun(trx, run)
        if (runId !== undefined) await deps.jobs.send(trx, reportsQueue, { runId })
      }
      await store.setNext(trx, report.id, new Date(nextDue(report.schedule, now).at))
    }
  })
}

/** The first pages of a report that is not saved. Throws 403, REPORT_EMPTY, REPORT_MACHINES. */
export async function preview(
  deps: ReportsDeps,
  caller: Caller,
  { eid, ...wish }: InputOf<typeof contract.previewReport>,
) {
  const space = spaceOfCall(caller.user.userId, eid)
  await requireEdit(deps.db, caller.user.userId, space)
  await checkContent(deps, space, wish.content, caller)
  const body = bodyOf(
    { ...wish, formats: ['pdf'], enabled: true, recipients: { userIds: [], contactIds: [] } },
    caller,
  )
  const due = lastDue(body.schedule, caller.now)
  const report = { ...body, ...idsOf(space), id: 0, updatedAt: new Date(caller.now), updatedBy: '' }
  const data = await composeForOwner(deps, report, due, caller.lang).catch((error) => {
    throw error instanceof RunRefused ? new Failure('REPORT_MACHINES') : error
  })
  const { pages, pictures } = await printPictures(data, reportLimits.previewPages)
  return {
    from: due.from,
    to: due.to,
    nextAt: nextDue(body.schedule, caller.now).at,
    pages,
    pictures: [...pictures],
  }
}

/** The latest runs of a report. Throws 404. */
export async function listRuns(deps: ReportsDeps, caller: Caller, id: number): Promise<contract.ReportRun[]> {
  const report = await findOwn(deps.db, caller, id)
  const list = await runs.listRuns(deps.db, id, reportLimits.runsPerReport)
  const ids = list.map((run) => run.id)
  const [files, machines, deliveries] = await Promise.all([
    runs.listRunFiles(deps.db, ids),
    runs.listRunMachines(deps.db, ids),
    // The other recipients are shown only to people who choose them.
    report.mayEdit ? runs.listDeliveries(deps.db, ids) : [],
  ])
  const told = [...new Set([...machines.values()].flat())]
  const seen = await deps.access.listVisible(caller.user.userId, told, caller.now)
  // The missing data includes names of variables, which are shown only to people who may see their machines.
  const hidden = (runId: number) =>
    machines.get(runId)?.every((machineId) => seen.has(machineId)) ? {} : { tags: [], tooLarge: [] }
  const writer = new Writer(caller.lang, report.schedule.timeZone)
  return list.map(({ leftOut, ...run }) => ({
    id: run.id,
    state: run.state,
    error: run.error,
    from: run.from.getTime(),
    to: run.to.getTime(),
    at: run.at.getTime(),
    isAsked: run.isAsked,
    endedAt: run.endedAt?.getTime() ?? null,
    leftOut: leftOutLines(
      { leftOut: { machines: 0, unseen: 0, tags: [], tooLarge: [], ...leftOut, ...hidden(run.id) } },
      writer,
    ),
    files: files
      .filter(({ runId }) => runId === run.id)
      .map(({ runId, expiresAt, ...file }) => ({ ...file, expiresAt: expiresAt?.getTime() ?? null })),
    deliveries: deliveries.filter(({ runId }) => runId === run.id).map(({ runId, ...delivery }) => delivery),
  }))
}

/**
 * A file of a report, for a person who may see the report, or who received it. The right to every device in it is
 * checked now, and again while it is sent.
 * @throws Failure 403, 404, FILE_GONE
 */
export async function openFile(deps: ReportsDeps, actor: Actor, fileId: number): Promise<FileAnswer> {
  const { user, now } = actor
  const file = await findAllowedFile(deps, user.userId, fileId, now)
  const stored = file.fileId === null ? undefined : await deps.files.find(deps.db, file.fileId)
  if (!stored) throw new Failure('FILE_GONE')
  const answer = await deps.files.open(stored)
  return whileAllowed(answer, deps.now, async () => {
    await findAllowedFile(deps, user.userId, fileId, deps.now())
  })
}

/** A file that a person may have now. Throws 403, 404. */
async function findAllowedFile(
  deps: ReportsDeps,
  userId: number,
  fileId: number,
  now: number,
): Promise<runs.FoundFile> {
  const file = await runs.findReportFile(deps.db, fileId)
  const report = file && (await store.findReport(deps.db, file.reportId))
  if (!file || !report) throw new Failure('404')
  const isMember = (await findRight(deps.db, userId, spaceOf(report))) !== undefined
  const isOwners = file.isOwn && isMember
  const isTheirs = async () =>
    (await runs.listReceivers(deps.db, file.versionId)).some((one) => one.userId === userId) &&
    (report.enterpriseId === null || isMember)
  if (!isOwners && !(await isTheirs())) throw new Failure('404')
  const seen = await deps.access.listVisible(userId, file.machineIds, now)
  if (file.isOfFormerOwner || !file.machineIds.every((id) => seen.has(id))) throw new Failure('403')
  return file
}

/** A file that goes with a mail; undefined when it is gone, or when its recipient may not have it any more. */
export async function openAttachment(deps: ReportsDeps, key: string): Promise<Readable | undefined> {
  const named = parseAttachmentKey(key)
  const file = named && (await runs.findReportFile(deps.db, named.fileId))
  const report = file && (await store.findReport(deps.db, file.reportId))
  if (!named || !file || !report || file.fileId === null) return undefined
  const [receiver] = await runs.listReceivers(deps.db, file.versionId, named.deliveryId)
  if (!receiver || !(await mayStillHave(deps, report, file, receiver))) return undefined
  const stored = await deps.files.find(deps.db, file.fileId)
  if (!stored) return undefined
  try {
    const answer = await deps.files.open(stored)
    return Readable.from(answer.open(0, answer.bytes - 1), { objectMode: false })
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

async function mayStillHave(
  deps: ReportsDeps,
  report: store.StoredReport,
  { machineIds, isOfFormerOwner }: runs.FoundFile,
  { userId, contactId }: { readonly userId: number | null; readonly contactId: number | null },
): Promise<boolean> {
  if (isOfFormerOwner) return false
  const now = deps.now()
  const ofOwner = await seenByOwner(deps, spaceOf(report), machineIds, now)
  if (!machineIds.every((id) => ofOwner.has(id))) return false
  if (userId === null)
    return (await store.listContacts(deps.db, spaceOf(report), [contactId ?? 0])).length > 0
  if (!(await belongs(deps, report, userId))) return false
  const consent = (await deps.requests.list(deps.db, spaceOf(report), [userId])).get(userId)
  const seen = await deps.access.listVisible(userId, machineIds, now)
  return consent?.state === 'confirmed' && machineIds.every((id) => seen.has(id))
}
