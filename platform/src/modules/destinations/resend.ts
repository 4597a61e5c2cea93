import { zstdDecompressSync } from 'node:zlib'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { rowId, type StreamRow } from '../project-stream/index.ts'
import type { Quota } from '../projects/index.ts'
import { findDelivery, noteResent } from './deliveries-store.ts'
import { listSettings, listZones } from './lanes-store.ts'
import { formatBody, formatRow } from './row-forms.ts'
import type { TestDeps } from './test-call.ts'
import { openSecrets, post, showAnswer } from './webhook.ts'

/** A dead letter of more is damaged: a request has at most 1 MiB, or one row. */
const rowsBytesMax = 64 * 1024 * 1024

export interface ResendDeps extends TestDeps {
  readonly quota: Quota
}

/**
 * Sends a dead letter again, with its id, without the rows of machines that left the project meanwhile. Where the
 * receiver accepts it, its rows are counted.
 */
export async function resend(deps: ResendDeps, id: number, now: number): Promise<void> {
  const { db, links, quota } = deps
  const found = await findDelivery(db, id)
  if (found?.state !== 'dead' || !found.letter || !links.isTrusted()) throw new Failure('DELIVERY_NOT_DEAD')
  const [settings] = await listSettings(db, [found.destinationId], new Date(now))
  if (!settings) throw new Failure('DELIVERY_NOT_DEAD')
  const rows = unpack(found.letter.rows).filter(
    ({ linkId }) => linkId === null || links.stateOf(linkId) === 'active',
  )
  const counted = rows.filter(({ kind }) => kind === 'row').length
  const left = (await quota.listLeft(db, [found.projectId])).get(found.projectId) ?? 0
  if (rows.length === 0 || counted > left) throw new Failure('DELIVERY_NOT_DEAD')
  const zones = await listZones(db, [...new Set(rows.flatMap(({ machineId }) => machineId ?? []))])
  const texts = rows.map((row) =>
    formatRow(rowId(found.projectId, row.no), row, settings.format, zones.get(row.machineId ?? 0) ?? 'UTC'),
  )
  const attempt = await post(deps.outgoingCalls, settings, {
    id: found.letter.webhookId,
    body: formatBody(texts, settings),
    secrets: openSecrets(deps.secrets, settings),
    now,
  })
  const { end, ms } = attempt
  const state = end.fault === null ? 'resent' : 'dead'
  await withTransaction(db, async (trx) => {
    const change = { state, status: end.status, fault: end.fault, ms, answer: showAnswer(attempt) } as const
    if ((await noteResent(trx, id, change)) && state === 'resent' && counted > 0)
      await quota.take(trx, found.projectId, counted)
  })
}

const unpack = (packed: Buffer): StreamRow[] =>
  JSON.parse(zstdDecompressSync(packed, { maxOutputLength: rowsBytesMax }).toString()) as StreamRow[]
