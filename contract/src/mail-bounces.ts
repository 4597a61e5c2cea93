import { z } from 'zod'
import { route } from './route.ts'

/** E-mails of one bounce, which may quote several. */
export const bouncedMailsMax = 100

/** The secret of BOUNCE_TOKEN_FILE, which opens nothing else. */
export const bounceToken = z.string().regex(/^[\w-]{24,64}$/)

/** Results of e-mails that mail systems reported, from `busbar bounce` in an alias of the mail server. Their own tokens prove each of them. */
export const noteBounces = route({
  method: 'POST',
  path: '/api/v1/mail/bounces',
  who: 'public',
  limits: ['bounces'],
  title: { cn: '上报退信', en: 'Report bounced e-mails' },
  request: z.object({
    token: bounceToken,
    mails: z
      .array(
        z.object({
          id: z.int().min(0),
          token: z.string().regex(/^[\w-]{22}$/),
          delivery: z.enum(['failed', 'delivered']).default('failed'),
        }),
      )
      .max(bouncedMailsMax),
  }),
  answer: z.object({ noted: z.int() }),
  errors: ['403'],
})
