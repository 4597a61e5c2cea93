import { scada as contract, operator } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { BrandDirectory } from '../brands/index.ts'
import type { Outgoing } from '../outgoing/index.ts'
import * as service from './scada-service.ts'
import * as store from './scada-store.ts'

interface ScadaDeps {
  readonly db: store.Db
  readonly brands: BrandDirectory
  readonly outgoing: Pick<Outgoing, 'queue'>
}

/** The form anybody may fill in, and the back office's answers to it. */
export function scadaRoutes(deps: ScadaDeps): Binding[] {
  return [
    bind(contract.registerScada, async (input, { address, brand, lang, now }) => ({
      ticketNo: await service.register(deps.db, input, { brandId: brand.id, lang, address, now }),
    })),

    bind(operator.listScadaRequests, async ({ page, pageSize, search, only, ...asked }) => {
      const { rows, total } = await store.listRequests(
        deps.db,
        { offset: (page - 1) * pageSize, count: pageSize, search },
        only,
        asked,
      )
      return { list: rows.map(presentRequest), total, page, pageSize }
    }),

    bind(operator.answerScadaRequest, async (input, context) => {
      await service.answer(deps, context, input)
      return {}
    }),
  ]
}

function presentRequest(row: store.RequestRow): operator.ScadaRow {
  return {
    id: row.id,
    ticketNo: row.ticket_no,
    company: row.company,
    phone: row.phone,
    email: row.email,
    area: row.area,
    project: row.project,
    purpose: row.purpose === 'run' ? 'run' : 'develop',
    createdAt: row.created_at.getTime(),
    answerBy: row.created_at.getTime() + contract.scadaAnswerMs,
    answeredAt: row.answered_at?.getTime() ?? null,
    answeredBy: row.answered_by ?? '',
    approved: row.approved,
    answer: row.answer ?? '',
  }
}
