import { sql } from 'kysely'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { openProviders } from '../../src/modules/outgoing/providers.ts'
import type { Platform } from '../../src/platform.ts'

interface QueuedRow {
  readonly id: number
  readonly kind: 'sms' | 'email'
  readonly notification_id: number
  readonly recipient: string
  readonly country_code: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Weakens a platform for a test that must find fault with it: a message goes to its provider in the transaction that
 * queues it, and is noted there as accepted. If that transaction fails, it is sent again.
 */
export function sendBeforeCommit(platform: Platform, config: Config, now: () => number): void {
  const providers = openProviders(config, silentLogger)
  const send = async (row: QueuedRow) => {
    const { recipient, subject, text, html } = row
    const from = { name: 'Busbar', address: config.EMAIL_SENDER ?? '' }
    const messageId = `early.${row.id}@example.test`
    if (row.kind === 'email')
      await providers.email?.send({
        from,
        to: recipient,
        subject,
        text,
        html,
        messageId,
        unsubscribeUrl: '',
        files: [],
      })
    else
      await providers.sms?.send({
        countryCode: row.country_code,
        phone: recipient,
        text,
        params: {},
        signature: '',
        template: '',
      })
  }
  platform.jobs.sendAll = async (trx: Database, _queue: unknown, all: readonly object[]) => {
    const ids = all.map((data) => (data as { messageId: number }).messageId)
    const { rows } = await sql<QueuedRow>`
      update outgoing set state = 'sent', sent_at = now() where id = any(${ids}::bigint[]) returning *`.execute(
      trx,
    )
    for (const row of rows) {
      await send(row)
      const of = { messageId: row.id, notificationId: row.notification_id, isMaybeSecond: false, at: now() }
      await platform.facts.record(trx, { kind: 'message.accepted', ...of })
    }
  }
}
