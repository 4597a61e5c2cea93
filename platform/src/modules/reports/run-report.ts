import { type reports as contract, type Lang, reportLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { seesNames } from '../access/index.ts'
import { type Brand, mainBrandId } from '../brands/index.ts'
import { FileRevoked, type Files, type NewFile } from '../files/index.ts'
import { listNames } from '../machine-names/index.ts'
import { listMailsOff, type ReportRequests } from '../notifications/index.ts'
import {
  type Attachment,
  attachmentName,
  fitMail,
  type MailReader,
  type Outgoing,
  type UnsubscribeUrlOf,
} from '../outgoing/index.ts'
import { findSpaceName, spaceOf } from '../spaces/index.ts'
import { composeData, type ReportHead, type ReportReader, type SeenConfirmers } from './compose-data.ts'
import { type GatherDeps, type Gathered, gather } from './gather.ts'
import { leftOutLines } from './print/left-out.ts'
import { printPdf } from './print/print.ts'
import type { ReportData } from './report-data.ts'
import { formatReportMail } from './report-mail.ts'
import { belongs, type RightsDeps, seenByOwner } from './report-rights.ts'
import { Writer } from './report-words.ts'
import * as store from './reports-store.ts'
import * as runs from './runs-store.ts'
import { writeReportCsv, writeReportXlsx } from './write-tables.ts'

export interface RunDeps extends RightsDeps, GatherDeps {
  readonly db: Database
  readonly files: Pick<Files, 'create' | 'remove'>
  readonly outgoing: Pick<Outgoing, 'queueAll' | 'canSend'>
  readonly now: () => number
  readonly brandOf: (id: number) => Brand
  /** The console's address for people of a brand; undefined if none is configured. */
  readonly originOf: (brand: Brand) => string | undefined
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
  readonly requests: ReportRequests
}

/** A run that cannot end otherwise, with the reason that its owner reads. */
export class RunRefused extends Error {
  override name = 'RunRefused'
  readonly reason: contract.ReportRunError

  constructor(reason: contract.ReportRunError) {
    super(reason)
    this.reason = reason
  }
}

const dayMs = 86_400_000
const mediaTypes = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const

/** Files of a version, and their receivers. */
interface MadeVersion {
  readonly id: number
  readonly data: ReportData
  readonly files: readonly { readonly id: number; readonly attachment: Omit<Attachment, 'key'> }[]
}

/** A receiver of the report, and their part of it. */
interface Receiver {
  readonly addressee: store.Addressee
  /** The contact under which a person with an account agreed. */
  readonly consentId?: number | undefined
  readonly reader: ReportReader
}

/**
 * Makes the files of a run and queues its mails. Files are made one after the other; the mails, the result of each
 * recipient and the end of the run are one transaction, so a run that is made a second time has sent no mails before.
 * @throws RunRefused
 */
export async function runReport(
  deps: RunDeps,
  runId: number,
  signal: AbortSignal,
  progress: (done: number, total: number) => Promise<void>,
): Promise<void> {
  const { db } = deps
  const run = await runs.takeRun(db, runId)
  if (!run) return
  await removeFormer(deps, runId)
  const report = await store.findReport(db, run.reportId)
  if (!report) return
  const making = await prepare(deps, report, { from: run.from.getTime(), to: run.to.getTime() }, signal)
  const { receivers, unsent } = run.isSent ? await listReceivers(deps, report, making) : nobody
  const own: ReportReader = {
    lang: report.lang,
    machineIds: making.seen,
    names: making.names,
    unseen: 0,
    confirmers: making.confirmers,
  }
  const readers = new Map<string, ReportReader>([[keyOf(own), own]])
  for (const { reader } of receivers) if (reader.machineIds.length > 0) readers.set(keyOf(reader), reader)
  const versions = new Map<string, MadeVersion>()
  const total = readers.size * report.formats.length
  for (const [key, reader] of readers) {
    const made = await makeVersion(deps, report, making, {
      ...{ runId, reader, isOwn: key === keyOf(own), signal },
      done: (files) => progress(versions.size * report.formats.length + files, total),
    })
    versions.set(key, made)
  }
  const ownData = versions.get(keyOf(own))?.data
  if (!ownData) return
  await withTransaction(db, async (trx) => {
    const at = new Date(deps.now())
    if (!(await runs.endRun(trx, run, { leftOut: ownData.leftOut, at }))) return
    await deliver(deps, trx, report, run.id, { receivers, unsent, versions, brand: making.brand })
    await removeOldRuns(deps, trx, report.id)
  })
}

interface Receivers {
  readonly receivers: readonly Receiver[]
  /** Recipients who do not get it: they did not agree, left, or turned e-mails off. */
  readonly unsent: readonly runs.Delivery[]
}
const nobody: Receivers = { receivers: [], unsent: [] }

/** The common parts of every version of a run. */
interface Making {
  readonly brand: Brand
  readonly head: Omit<ReportHead, 'brand'>
  readonly gathered: Gathered
  readonly seen: readonly number[]
  readonly names: ReadonlyMap<number, string>
  readonly fileUserId: number
  /** As the report's owner sees them. */
  readonly confirmers: SeenConfirmers
}

/**
 * Checks the present rights of a report's owner, and reads the data.
 * @throws RunRefused noOwner, noMachines
 */
async function prepare(
  deps: RunDeps,
  report: store.StoredReport,
  period: { readonly from: number; readonly to: number },
  signal: AbortSignal | undefined,
): Promise<Making> {
  const { db, now } = deps
  const space = spaceOf(report)
  const fileUserId = report.userId ?? (await store.findSpaceOwner(db, report.enterpriseId as number))
  if (fileUserId === undefined) throw new RunRefused('noOwner')
  const { machineIds } = report.content
  const allowed = await seenByOwner(deps, space, machineIds, now())
  const seen = machineIds.filter((id) => allowed.has(id))
  if (seen.length === 0) throw new RunRefused('noMachines')
  const [machines, ownNames, owner, [person]] = await Promise.all([
    store.listMachines(db, seen, report.enterpriseId),
    report.userId === null ? new Map<number, string>() : listNames(db, report.userId, seen),
    findSpaceName(db, space),
    store.listPeople(db, [fileUserId]),
  ])
  const gathered = await gather(deps, report.content, { machineIds: seen, period, now: now() }, signal)
  return {
    brand: deps.brandOf(person?.brandId ?? mainBrandId),
    head: {
      name: report.name,
      timeZone: report.schedule.timeZone,
      owner,
      madeAt: now(),
      lostMachines: machineIds.length - seen.length,
      codes: new Map(machines.map(({ id, code }) => [id, code])),
      order: machineIds,
    },
    gathered,
    seen,
    names: new Map(machines.map(({ id, name }) => [id, ownNames.get(id) || name])),
    fileUserId,
    confirmers: await confirmersFor(deps, gathered, report.userId ?? 'enterprise'),
  }
}

/** The people who acknowledged alarms of a report, as a person, its own enterprise or a contact sees them. */
async function confirmersFor(
  deps: RunDeps,
  { alarms, machineIds }: Gathered,
  reader: number | 'enterprise' | 'contact',
): Promise<SeenConfirmers> {
  const shown = alarms ? [...alarms.longest, ...alarms.latest] : []
  const ids = new Set(shown.map(({ confirmedById }) => confirmedById).filter((id) => id !== null))
  // Readers of a report in which there are none get the same files.
  if (ids.size === 0 || reader === 'contact')
    return { userId: 0, machineIds: new Set(), colleagues: new Set() }
  if (reader === 'enterprise') return { userId: 0, machineIds: new Set(machineIds), colleagues: new Set() }
  const rights = await deps.access.list(reader, machineIds, deps.now())
  return {
    userId: ids.has(reader) ? reader : 0,
    colleagues: await deps.access.listColleagues(reader, [...ids]),
    machineIds: new Set(machineIds.filter((id) => seesNames(rights.get(id)))),
  }
}

const brandFace = (brand: Brand, lang: Lang) => ({
  name: brand.platformName[lang],
  accent: brand.accent || '#0b63ce',
})

/** A report for its owner, before it is saved or made. @throws RunRefused */
export async function composeForOwner(
  deps: RunDeps,
  report: store.StoredReport,
  period: { readonly from: number; readonly to: number },
  lang: Lang,
  signal?: AbortSignal,
): Promise<ReportData> {
  const making = await prepare(deps, report, period, signal)
  const head = { ...making.head, brand: brandFace(making.brand, lang) }
  const { seen: machineIds, names, confirmers } = making
  return composeData(head, making.gathered, { lang, machineIds, names, unseen: 0, confirmers })
}

/** Readers with the same devices under the same names, who see the same people, and in one language get the same files. */
const keyOf = ({ lang, machineIds, names, confirmers }: ReportReader): string => {
  const devices = machineIds.map((id) => [id, names.get(id), confirmers.machineIds.has(id)])
  return JSON.stringify([lang, confirmers.userId, [...confirmers.colleagues].sort(), devices])
}

const noDelivery = { versionId: null, userId: null, contactId: null, unseen: 0 } as const

/** The present recipients, each with the devices that they may see. */
async function listReceivers(deps: RunDeps, report: store.StoredReport, making: Making): Promise<Receivers> {
  const { db, now } = deps
  const space = spaceOf(report)
  const { userIds, contactIds } = await store.listRecipients(db, report.id)
  const [people, contacts] = await Promise.all([
    store.listPeople(db, userIds),
    store.listContacts(db, space, contactIds),
  ])
  await deps.requests.ask(space, people.map(store.readerOf), now())
  const consents = await deps.requests.list(db, space, userIds)
  const off = await listMailsOff(db, userIds)
  const hindranceOf = (userId: number): contract.DeliveryState | undefined => {
    const state = consents.get(userId)?.state ?? 'asked'
    if (state !== 'confirmed') return state
    return off.has(userId) ? 'off' : undefined
  }
  const unsent = userIds.flatMap((userId) => {
    const state = hindranceOf(userId)
    return state ? [{ ...noDelivery, userId, state }] : []
  })
  const agreed = people.filter(({ userId }) => hindranceOf(userId as number) === undefined)
  const ofPeople = agreed.map(async (addressee): Promise<Receiver> => {
    const userId = addressee.userId as number
    const isMate = await belongs(deps, report, userId)
    const seen = isMate ? await deps.access.listVisible(userId, making.seen, now()) : new Set<number>()
    const machineIds = making.seen.filter((id) => seen.has(id))
    const names = await listNames(db, userId, machineIds)
    return {
      addressee,
      consentId: consents.get(userId)?.contactId,
      reader: {
        lang: addressee.lang,
        machineIds,
        names: new Map(machineIds.map((id) => [id, names.get(id) || (making.names.get(id) ?? '')])),
        unseen: making.seen.length - machineIds.length,
        confirmers: await confirmersFor(deps, making.gathered, userId),
      },
    }
  })
  // A contact gets the devices that the report's owner may share, under their shared names.
  const there = new Set(contacts.map(({ contactId }) => contactId))
  const left = contactIds
    .filter((id) => !there.has(id))
    .map((contactId) => ({ ...noDelivery, contactId, state: 'left' as const }))
  const shared = await store.listMachines(db, making.seen, report.enterpriseId)
  const names = new Map(shared.map(({ id, name }) => [id, name]))
  const confirmers = await confirmersFor(deps, making.gathered, 'contact')
  const ofContacts = contacts.map(
    (addressee): Receiver => ({
      addressee,
      reader: { lang: addressee.lang, machineIds: making.seen, names, unseen: 0, confirmers },
    }),
  )
  return { receivers: [...(await Promise.all(ofPeople)), ...ofContacts], unsent: [...left, ...unsent] }
}

/** Makes the files for one reader or several. */
async function makeVersion(
  deps: RunDeps,
  report: store.StoredReport,
  making: Making,
  wish: {
    readonly runId: number
    readonly reader: ReportReader
    readonly isOwn: boolean
    readonly signal: AbortSignal
    done(files: number): Promise<void>
  },
): Promise<MadeVersion> {
  const { runId, reader, isOwn, signal } = wish
  const head = { ...making.head, brand: brandFace(making.brand, reader.lang) }
  const data = composeData(head, making.gathered, reader)
  const id = await runs.createVersion(deps.db, { runId, isOwn, machineIds: reader.machineIds })
  const day = new Writer(reader.lang, data.timeZone).day(data.from)
  const files: MadeVersion['files'][number][] = []
  for (const format of report.formats) {
    const name = attachmentName(`${report.name} ${day}`, format)
    const file: NewFile = {
      userId: making.fileUserId,
      enterpriseId: report.enterpriseId ?? undefined,
      purpose: 'report',
      name,
      mediaType: mediaTypes[format],
      lifeMs: reportLimits.filesKeptDays * dayMs,
    }
    let fileId = 0
    const made = await deps.files.create(file, piecesOf(format, data, signal), {
      signal,
      done: async (trx, { id: stored, bytes }) => {
        fileId = await runs.createReportFile(trx, { versionId: id, format, fileId: stored, name, bytes })
      },
    })
    files.push({ id: fileId, attachment: { name, contentType: mediaTypes[format], bytes: made.bytes } })
    await wish.done(files.length)
  }
  return { id, data, files }
}

async function* piecesOf(
  format: contract.ReportFormat,
  data: ReportData,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (format === 'pdf') yield await printPdf(data, signal)
  else yield* format === 'xlsx' ? writeReportXlsx(data) : writeReportCsv(data)
}

/** The key of a file that goes with a mail to one recipient. */
const attachmentKeyOf = (fileId: number, deliveryId: number): string => `report/${fileId}/${deliveryId}`

export function parseAttachmentKey(key: string): { fileId: number; deliveryId: number } | undefined {
  const [, file, delivery] = /^report\/(\d{1,15})\/(\d{1,15})$/.exec(key) ?? []
  return file && delivery ? { fileId: Number(file), deliveryId: Number(delivery) } : undefined
}

/** Queues the mails, and records the result of each recipient. */
async function deliver(
  deps: RunDeps,
  trx: Database,
  report: store.StoredReport,
  runId: number,
  made: {
    readonly receivers: readonly Receiver[]
    readonly unsent: readonly runs.Delivery[]
    readonly versions: ReadonlyMap<string, MadeVersion>
    readonly brand: Brand
  },
): Promise<void> {
  const now = deps.now()
  const owner = spaceOf(report)
  const mailsLeft = await deps.requests.countMailsLeft(trx, owner, reportLimits.mailsPerOwner, now)
  const mailed: string[] = []
  for (const delivery of made.unsent) await runs.createDelivery(trx, runId, delivery)
  for (const { addressee, consentId, reader } of made.receivers) {
    const { userId, contactId, email } = addressee
    const version = made.versions.get(keyOf(reader))
    const note = (state: contract.DeliveryState, versionId: number | null) =>
      runs.createDelivery(trx, runId, { versionId, userId, contactId, state, unseen: reader.unseen })
    if (!version) {
      await note('noRight', null)
      continue
    }
    if (!email) {
      await note('noEmail', version.id)
      continue
    }
    if (mailed.length >= mailsLeft) {
      await note('limited', version.id)
      continue
    }
    mailed.push(email)
    const isAttached = fitMail(version.files.map(({ attachment }) => attachment))
    const brand = contactId === null ? deps.brandOf(addressee.brandId ?? mainBrandId) : made.brand
    const origin = deps.originOf(brand)
    const hasLink = !isAttached && userId !== null && origin !== undefined
    const sentAs = isAttached ? 'sent' : hasLink ? 'link' : 'tooLarge'
    const deliveryId = await note(deps.outgoing.canSend('email') ? sentAs : 'kept', version.id)
    const { data } = version
    const to: MailReader = {
      email,
      contactId: (consentId ?? contactId) as number,
      ...(userId === null ? {} : { userId }),
    }
    const writer = new Writer(reader.lang, data.timeZone)
    await deps.outgoing.queueAll(trx, [
      formatReportMail({
        to,
        lang: reader.lang,
        brand,
        logoUrl: origin && brand.logoUrl.startsWith('/') ? `${origin}${brand.logoUrl}` : undefined,
        name: data.name,
        owner: data.owner,
        period: writer.period(data.from, data.to),
        leftOut: leftOutLines({ leftOut: { ...data.leftOut, unseen: reader.unseen } }, writer),
        attachments: isAttached
          ? version.files.map(({ id, attachment }) => ({
              ...attachment,
              key: attachmentKeyOf(id, deliveryId),
            }))
          : [],
        links: hasLink ? version.files.map(({ id }) => `${origin}/api/v1/reports/files/${id}`) : null,
        unsubscribeUrl: deps.unsubscribeUrlOf(brand, to),
      }),
    ])
  }
  await deps.requests.noteMails(trx, owner, mailed, now)
}

/** Removes the files of an earlier try of a run. */
async function removeFormer({ db, files }: RunDeps, runId: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    for (const id of await runs.removeVersions(trx, runId)) await files.remove(trx, id)
  })
}

/** Keeps the latest runs of a report, and no file of others. */
async function removeOldRuns({ files }: RunDeps, trx: Database, reportId: number): Promise<void> {
  for (const id of await runs.listFileIds(trx, reportId, reportLimits.runsPerReport))
    await files.remove(trx, id)
  await runs.removeOldRuns(trx, reportId, reportLimits.runsPerReport)
}

/** Why a run failed, as its owner reads it; undefined: another try may succeed. */
export function refusalOf(error: unknown): contract.ReportRunError | undefined {
  if (error instanceof RunRefused) return error.reason
  if (error instanceof FileRevoked) return 'noOwner'
  if (!(error instanceof Failure)) return undefined
  if (error.code === 'FILES_FULL') return 'filesFull'
  return error.code === 'FILES_NO_ROOM' ? 'noRoom' : undefined
}
