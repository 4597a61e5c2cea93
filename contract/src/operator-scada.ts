import { z } from 'zod'
import { id, instant, linesText, nothing, paged } from './fields.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'
import { scadaPurposes } from './scada.ts'

/** Limit of an operator's text to a stranger. */
export const scadaAnswerCharactersMax = 2_000

const scadaRow = z.object({
  id,
  ticketNo: z.string(),
  company: z.string(),
  phone: z.string(),
  email: z.string(),
  area: z.string(),
  project: z.string(),
  purpose: z.enum(scadaPurposes),
  createdAt: instant,
  answerBy: instant.describe('24 hours after it came'),
  answeredAt: instant.nullable(),
  answeredBy: z.string(),
  approved: z.boolean().nullable(),
  answer: z.string(),
})
export type ScadaRow = z.output<typeof scadaRow>

/** The columns that the requests are sorted by. */
export const scadaOrders = ['company', 'createdAt'] as const

export const listScadaRequests = route({
  method: 'GET',
  path: '/api/operator/v1/scada-requests',
  who: 'operator',
  title: { cn: 'SCADA 注册申请', en: 'List the requests to register a SCADA computer' },
  request: z.object({
    ...paging,
    ...sortedBy(scadaOrders),
    only: z.enum(['open', 'answered']).optional(),
  }),
  answer: paged(scadaRow),
  errors: [],
})

export const answerScadaRequest = route({
  method: 'PUT',
  path: '/api/operator/v1/scada-requests/:id',
  who: 'operator',
  title: { cn: '答复 SCADA 注册申请', en: 'Answer a SCADA request by e-mail' },
  request: z.object({
    id,
    approved: z.boolean(),
    answer: linesText(scadaAnswerCharactersMax),
  }),
  answer: nothing,
  errors: ['404', '12010401'],
})
