import { zstdDecompressSync } from 'node:zlib'
import { withTransaction } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { StreamRow } from '../project-stream/index.ts'
import type { Quota } from '../projects/index.ts'
import { claimLetter, findDelivery, holdLetter, noteResent } from './deliveries-store.ts'
import { findSettings, listSettings, listZones } from './lanes-store.ts'
import { formatRow } from './row-forms.ts'
import type { TestDeps } from './test-call.ts'
import { sendAlone } from './transports.ts'

/** A dead letter of more is damaged: a request has at most 1 MiB, or one row. */
const rowsBytesMax = 64 * 1024 * 1024

/** A process that dies keeps a dead letter for this time; one that sends it claims it again and again. */
const claimMs = 10_000
const claimEveryMs = 3_000
const blindRetryS = 1

export interface ResendDeps extends TestDeps {
  readonly quota: Quota
  readonly logger: Pick<Logger, 'error'>
  now(): number
}

/**
 * Sends a dead letter again, with its id, without the rows of machines that left the project meanwhile. Where the
 * receiver accepts it, its rows are counted. Two presses at once send it once.
 */
export async function resend(deps: ResendDeps, id: number, now: number): Promise<void> {
  const { db, logger } = deps
  if (!(await claimLetter(db, id, { at: new Date(now), until: new Date(now + claimMs) }))) {
    const found = await findDelivery(db, id)
    throw new Failure(found?.state === 'dead' ? 'DELIVERY_SENDING' : 'DELIVERY_NOT_DEAD')
  }
  // A broker may acknowledge a thousand rows one by one.
  const keep = () => holdLetter(db, id, new Date(deps.now() + claimMs))
  const keeping = every(claimEveryMs, keep, logger)
  try {
    await sendClaimed(deps, id, now)
  } finally {
    clearInterval(keeping)
    await holdLetter(db, id, null)
  }
}

async function sendClaimed(deps: ResendDeps, id: number, now: number): Promise<void> {
  const { db, links, quota } = deps
  if (!links.isTrusted()) throw new Failure('503', { data: { retryIn: blindRetryS } })
  const found = await findDelivery(db, id)
  if (!found?.letter) throw new Failure('DELIVERY_NOT_DEAD')
  const [settings] = await listSettings(db, [found.destinationId], new Date(now))
  if (!settings) throw await whyOff(deps, found.destinationId, now)
  const rows = unpack(found.letter.rows).filter(
    ({ linkId }) => linkId === null || links.stateOf(linkId) === 'active',
  )
  const counted = rows.filter(({ kind }) => kind === 'row').length
  const left = (await quota.listLeft(db, [found.projectId])).get(found.projectId) ?? 0
  if (rows.length === 0) throw new Failure('DELIVERY_EMPTY')
  if (counted > left) throw new Failure('QUOTA_OVER')
  const zones = await listZones(db, [...new Set(rows.flatMap(({ machineId }) => machineId ?? []))])
  const formatOne = (row: StreamRow) =>
    formatRow(row, settings.format, zones.get(row.machineId ?? 0) ?? 'UTC')
  const attempt = await sendAlone(deps.openTransport, 'resend', settings, {
    id: found.letter.webhookId,
    rows: rows.map((row) => ({ text: row.text, linkId: row.linkId, sent: formatOne(row) })),
    now,
  })
  const { end, ms } = attempt
  const state = end.fault === null ? 'resent' : 'dead'
  await withTransaction(db, async (trx) => {
    const change = { state, status: end.status, fault: end.fault, ms, answer: attempt.showAnswer() } as const
    if ((await noteResent(trx, id, change)) && state === 'resent' && counted > 0)
      await quota.take(trx, found.projectId, counted)
  })
}

/** Why nothing is sent to a destination now. */
async function whyOff({ db }: ResendDeps, destinationId: number, now: number): Promise<Failure> {
  const settings = await findSettings(db, destinationId, new Date(now))
  return new Failure(settings?.isOn ? 'PROJECT_NOT_REPORTING' : 'DESTINATION_OFF')
}

const unpack = (packed: Buffer): StreamRow[] =>
  JSON.parse(zstdDecompressSync(packed, { maxOutputLength: rowsBytesMax }).toString()) as StreamRow[]
