import type { Facts } from '../../kernel/facts/facts.ts'
import * as store from './deliveries-store.ts'
import type { DeliveryReport } from './delivery-report.ts'
import type { Receipt } from './message.ts'
import type { Db } from './outgoing-store.ts'

/** A transaction, the facts that it records, and its instant. */
export interface Noting {
  readonly trx: Db
  readonly facts: Pick<Facts, 'recordAll'>
  /** Epoch milliseconds. */
  readonly now: number
}

/** Notes receipts of messages that a service had accepted; those of messages not noted yet wait for them. */
export async function noteReceipts(
  noting: Noting,
  source: store.ReceiptSource,
  receipts: readonly Receipt[],
): Promise<void> {
  const ids = await store.noteReceipts(noting.trx, source, receipts, new Date(noting.now))
  await settle(noting, ids)
}

/** Records the known results of messages. */
export async function settle(noting: Noting, ids: readonly number[]): Promise<void> {
  await tell(noting, await store.settleDeliveries(noting.trx, ids))
}

/** Notes reports about e-mails; answers how many of them told something new about one of this platform. */
export async function noteDeliveryReports(
  noting: Noting,
  reports: readonly DeliveryReport[],
): Promise<number> {
  const settled = await store.settleReports(noting.trx, reports)
  await tell(noting, settled)
  return settled.length
}

async function tell({ trx, facts, now: at }: Noting, settled: readonly store.Settled[]): Promise<void> {
  const told = settled.flatMap(({ id: messageId, notificationId, delivery }) => {
    const kind = delivery === 'delivered' ? ('message.delivered' as const) : ('message.undelivered' as const)
    return notificationId === null ? [] : [{ kind, messageId, notificationId, at }]
  })
  await facts.recordAll(trx, told)
}
