import { createHmac } from 'node:crypto'
import type { AuditHead, AuditKey } from './audit-key.ts'
import * as store from './audit-store.ts'

const batchesPerRead = 100
const findingsMax = 50

/** The seal before the first batch. */
const beginning = Buffer.alloc(32)

/**
 * The seal of a batch: HMAC-SHA256 over its number, the seal before it, and each entry with its length, so that no two
 * lists of entries give the same bytes.
 */
function sealBatch(key: AuditKey, batchId: number, previous: Buffer, texts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key.bytes)
  hmac.update(`busbar audit ${batchId} ${texts.length}\n`).update(previous)
  for (const text of texts) hmac.update(`${Buffer.byteLength(text)}\n`).update(text)
  return hmac.digest()
}

/** The result of a check of the sealed log; whole where `findings` is empty. */
export interface AuditVerdict {
  readonly batches: number
  readonly entries: number
  /** Entries no batch holds yet, and the time of the oldest of them. */
  readonly open: { readonly count: number; readonly oldestAt: Date | null }
  /** The first 50 faults, in words. */
  readonly findings: readonly string[]
}

/** Computes every seal again. @param head the newest seal that was noted outside the database, if one was */
export async function verifyAudit(
  db: store.Db,
  key: AuditKey,
  head: AuditHead | undefined,
): Promise<AuditVerdict> {
  const findings: string[] = []
  const find = (text: string) => findings.length < findingsMax && findings.push(text)
  let previous: AuditHead = { batchId: 0, mac: beginning }
  let batches = 0
  let entries = 0
  for (;;) {
    const rows = await store.listBatches(db, previous.batchId, batchesPerRead)
    for (const batch of rows) {
      if (batch.id !== previous.batchId + 1)
        find(`Batches ${previous.batchId + 1} to ${batch.id - 1} are gone`)
      const texts = await store.listBatchTexts(db, batch.id)
      batches++
      entries += texts.length
      const fits = sealBatch(key, batch.id, previous.mac, texts).equals(batch.mac)
      if (batch.key_id !== key.id) find(`Batch ${batch.id} was sealed with the key ${batch.key_id}`)
      else if (texts.length !== batch.entries)
        find(`Batch ${batch.id} was sealed with ${batch.entries} entries and has ${texts.length}`)
      else if (!fits) find(`Batch ${batch.id} is not what was sealed: an entry was changed or replaced`)
      if (batch.id === head?.batchId && !head.mac.equals(batch.mac))
        find(`Batch ${batch.id} has another seal than the one noted outside the database`)
      previous = { batchId: batch.id, mac: batch.mac }
    }
    if (rows.length < batchesPerRead) break
  }
  if (head && head.batchId > previous.batchId)
    find(`Batches ${previous.batchId + 1} to ${head.batchId} were sealed and are gone`)
  return { batches, entries, open: await store.countOpenEntries(db), findings }
}

/** Seals the oldest open entries as the next batch; answers the new head, undefined if there were no entries. */
export async function sealNextBatch(
  db: store.Db,
  key: AuditKey,
  options: { entriesMax: number; at: Date },
): Promise<AuditHead | undefined> {
  return db.transaction().execute(async (trx) => {
    if (!(await store.lockSealing(trx))) return undefined
    const open = await store.listOpenEntries(trx, options.entriesMax)
    if (open.length === 0) return undefined
    const last = await store.findLastBatch(trx)
    const batchId = (last?.id ?? 0) + 1
    const texts = open.map((entry) => entry.text)
    const mac = sealBatch(key, batchId, last?.mac ?? beginning, texts)
    const entryIds = open.map((entry) => entry.id)
    await store.createBatch(trx, { id: batchId, keyId: key.id, mac, sealedAt: options.at, entryIds })
    return { batchId, mac }
  })
}
