import { z } from 'zod'
import { nothing, timeZone } from './fields.ts'
import { route } from './route.ts'
import { languages } from './text.ts'

/** A field that is left out stays as it is. */
export const updateLocale = route({
  method: 'PUT',
  path: '/api/user/v1/locale',
  who: 'user',
  title: { cn: '设置语言和时区', en: 'Set your language and time zone' },
  request: z.object({
    lang: z.enum(languages).optional(),
    timeZone: timeZone.optional().describe('By IANA, such as Asia/Shanghai'),
  }),
  answer: nothing,
  errors: [],
})
