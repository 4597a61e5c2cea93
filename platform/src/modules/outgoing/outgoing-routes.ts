import { timingSafeEqual } from 'node:crypto'
import { smsStock as contract, mailBounces } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { noteDeliveryReports } from './deliveries.ts'
import { listTemplates, saveTemplate } from './deliveries-store.ts'
import type { Outgoing } from './outgoing.ts'

interface Deps {
  readonly db: Database
  readonly outgoing: Outgoing
  readonly facts: Facts
  readonly now: () => number
  readonly receiptToken: string | undefined
  readonly bounceToken: string | undefined
  readonly hasBrand: (id: number) => boolean
}

/** The endpoints for the receipts of an SMS service and for bounces of e-mails, and the templates of SMS. */
export function outgoingRoutes({
  db,
  facts,
  now,
  outgoing,
  receiptToken,
  bounceToken,
  hasBrand,
}: Deps): Binding[] {
  return [
    bind(contract.listSmsTemplates, () => listTemplates(db)),

    bind(contract.putSmsTemplate, async (template) => {
      if (!hasBrand(template.brandId)) throw new Failure('404')
      await saveTemplate(db, template)
      return {}
    }),

    bind(contract.noteSmsReceipts, async ({ token, reports }) => {
      if (!receiptToken || !isSame(token, receiptToken)) throw new Failure('403')
      const receipts = reports.map(({ biz_id: providerId, success, err_code: error }) => ({
        providerId,
        state: success ? ('delivered' as const) : ('failed' as const),
        error: success ? '' : (error ?? ''),
      }))
      await outgoing.noteReceipts('http', receipts)
      return { code: 0 as const, msg: 'ok' }
    }),

    bind(mailBounces.noteBounces, async ({ token, mails }) => {
      if (!bounceToken || !isSame(token, bounceToken)) throw new Failure('403')
      const noted = await withTransaction(db, (trx) => noteDeliveryReports({ trx, facts, now: now() }, mails))
      return { noted }
    }),
  ]
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
