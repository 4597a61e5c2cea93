import { z } from 'zod'
import { alarmValue } from './alarm-fields.ts'
import { instant, nothing } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { route } from './route.ts'
import { languages } from './text.ts'

/** Pages of the console that the links in mails open; the token follows. */
export const linkPages = {
  confirmContact: '/contact/',
  unsubscribe: '/unsubscribe/',
  alarm: '/alarm/link/',
} as const

const token = z.string().regex(/^[\w-]{32,64}$/)

const lang = z.enum(languages).describe('The recipient’s language')

/** Of a mail to a person without a session: a token that is wrong, expired, used up or another’s is answered alike. */
const byLink = { who: 'public', limits: ['mailLinks'] } as const

/** The contact's page before the address is confirmed. Reading it changes nothing, because mail scanners follow links. */
export const getContactRequest = route({
  method: 'GET',
  path: '/api/v1/alarm/contact/confirm/:token',
  ...byLink,
  title: { cn: '查看邮件接收人的确认请求', en: 'Get the request that an e-mail recipient can confirm' },
  request: z.object({ token }),
  answer: z.object({
    about: z.enum(['alarms', 'reports']).describe('The mails that would be sent'),
    name: z.string().describe('The contact’s name'),
    emailMasked: z.string().describe('The contact’s address, partly hidden'),
    from: z.string().describe('The person or the enterprise whose contact it is'),
    confirmed: z.boolean().describe('The address is confirmed'),
    lang,
  }),
  errors: ['LINK_UNKNOWN'],
})

export const confirmContact = route({
  method: 'POST',
  path: '/api/v1/alarm/contact/confirm/:token',
  ...byLink,
  title: { cn: '确认接收报警', en: 'Agree to receive alarm e-mails' },
  request: z.object({ token }),
  answer: nothing,
  errors: ['LINK_UNKNOWN'],
})

export const getUnsubscribe = route({
  method: 'GET',
  path: '/api/v1/alarm/unsubscribe/:token',
  ...byLink,
  title: { cn: '查看退订信息', en: 'Get the subscription behind an unsubscribe link' },
  request: z.object({ token }),
  answer: z.object({
    about: z
      .enum(['alarms', 'reports', 'account'])
      .describe(
        'alarms, reports: the reader leaves those of `from`; account: a person turns their e-mails off',
      ),
    emailMasked: z
      .string()
      .describe('The reader’s address, partly hidden; empty for a contact that was removed since'),
    from: z.string().describe('The person or the enterprise whose contact it is; empty for an account'),
    left: z.boolean().describe('The mails have ended'),
    lang,
  }),
  errors: ['LINK_UNKNOWN'],
})

/** Also called by mail programs themselves (RFC 8058); without a session or a cookie. */
export const unsubscribe = route({
  method: 'POST',
  path: '/api/v1/alarm/unsubscribe/:token',
  aliases: ['/unsubscribe/:token'],
  ...byLink,
  title: { cn: '退订邮件', en: 'Unsubscribe from e-mails' },
  request: z.object({
    token,
    'List-Unsubscribe': z.literal('One-Click').optional().describe('Of mail programs'),
  }),
  answer: nothing,
  errors: ['LINK_UNKNOWN'],
})

/** The alarm of a mail, and nothing else of its machine. Reading it changes nothing. */
export const getAlarmLink = route({
  method: 'GET',
  path: '/api/v1/alarm/link/:token',
  ...byLink,
  title: { cn: '通过链接查看报警', en: 'Get an alarm by its link' },
  request: z.object({ token }),
  answer: z.object({
    machineName: z.string(),
    level: z.enum(alarmLevels),
    text: z.string().describe('The alarm’s text'),
    value: alarmValue.describe('The value that crossed the limit; null: the device gave none'),
    limit: alarmValue,
    unit: z.string(),
    count: z.int().describe('How often it was raised while it stood'),
    raisedAt: instant.describe('When it was raised, by the device’s clock'),
    clearedAt: instant.nullable(),
    confirmedAt: instant.nullable(),
    confirmedBy: z
      .string()
      .nullable()
      .describe('The person who acknowledged it; null: no one, or no longer known'),
    mayConfirm: z.boolean().describe('The alarm can be acknowledged by this link'),
    lang,
    timeZone: z.string().describe('The zone of the reader’s times'),
    expireAt: instant.describe('Until then the link can be used'),
  }),
  errors: ['LINK_UNKNOWN'],
})

/** Rights are asked again at this press. */
export const confirmAlarmLink = route({
  method: 'POST',
  path: '/api/v1/alarm/link/:token',
  ...byLink,
  title: { cn: '通过链接确认报警', en: 'Acknowledge an alarm by its link' },
  request: z.object({ token }),
  answer: z.object({ confirmed: z.boolean().describe('False: someone had acknowledged it before') }),
  errors: ['LINK_UNKNOWN', 'LINK_NOT_ALLOWED'],
})
