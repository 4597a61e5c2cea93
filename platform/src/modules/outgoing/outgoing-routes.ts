import { timingSafeEqual } from 'node:crypto'
import { smsStock as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { listTemplates, saveTemplate } from './deliveries-store.ts'
import type { Outgoing } from './outgoing.ts'

interface Deps {
  readonly db: Database
  readonly outgoing: Outgoing
  readonly receiptToken: string | undefined
  readonly hasBrand: (id: number) => boolean
}

/** The endpoint for the receipts of an SMS service, and the templates that it uses. */
export function outgoingRoutes({ db, outgoing, receiptToken, hasBrand }: Deps): Binding[] {
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
  ]
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
