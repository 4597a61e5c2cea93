import { z } from 'zod'
import { linesText, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

/** The purpose of the computer: to develop SCADA projects, or to run them. */
export const scadaPurposes = ['develop', 'run'] as const
export type ScadaPurpose = (typeof scadaPurposes)[number]

/** Within this time a request is answered by e-mail, in milliseconds. */
export const scadaAnswerMs = 24 * 3_600_000

/** Lengths of the form's texts, in characters. */
export const scadaLimits = { company: 100, area: 100, project: 1_000, phone: 24 } as const

/** A number as people write it on a form, of any country: a person reads it. */
const phone = z
  .string()
  .trim()
  .max(scadaLimits.phone)
  .regex(/^\+?[0-9][0-9 ()-]{5,}$/, { message: 'phone' })

export const registerScada = route({
  method: 'POST',
  path: '/api/scada/v1/register',
  who: 'public',
  limits: ['scadaRequests'],
  title: { cn: '提交 SCADA 注册申请', en: 'Request to register a SCADA computer' },
  request: z.object({
    company: shortText(1, scadaLimits.company),
    phone,
    email: z.email().trim().toLowerCase().max(limits.accountMax),
    area: shortText(1, scadaLimits.area),
    project: linesText(scadaLimits.project),
    purpose: z.enum(scadaPurposes),
  }),
  answer: z.object({ ticketNo: z.string().describe('Names the request in the answer’s e-mail') }),
  errors: [],
})
