import { z } from 'zod'
import { id, nothing } from './fields.ts'
import { route } from './route.ts'
import { languages } from './text.ts'

/** The kinds of messages for which an SMS service has separate templates. */
export const smsPurposes = ['code', 'notice', 'alarm', 'digest'] as const
export type SmsPurpose = (typeof smsPurposes)[number]

const template = z.object({
  brandId: id.describe('The brand whose messages it is for'),
  lang: z.enum(languages).describe('The language of the messages'),
  purpose: z
    .enum(smsPurposes)
    .describe('code: codes; notice: other messages of accounts; alarm: one alarm; digest: several alarms'),
  template: z
    .string()
    .trim()
    .max(64)
    .regex(/^[\w.-]*$/)
    .describe('The service’s name of it; empty: the one of the settings'),
})
export type SmsTemplate = z.output<typeof template>

/** The texts of an SMS service's templates, of every brand. */
export const listSmsTemplates = route({
  method: 'GET',
  path: '/api/operator/v1/sms-templates',
  who: 'operator',
  title: { cn: '短信模板列表', en: 'List SMS templates' },
  request: z.object({}),
  answer: z.array(template),
  errors: [],
})

export const putSmsTemplate = route({
  method: 'PUT',
  path: '/api/operator/v1/sms-templates',
  who: 'operator',
  title: { cn: '设置短信模板', en: 'Set an SMS template' },
  request: template,
  answer: nothing,
  errors: ['404'],
})
