import { z } from 'zod'
import { instant, nothing, page, paged, pageSize } from './fields.ts'
import { route } from './route.ts'

/** Days a session lives without being used (rules/accounts.md: sessions). */
export const loginExpiryDays = [1, 7, 30, 60] as const

export const removeOtherTerminals = route({
  method: 'DELETE',
  path: '/api/user/v1/tokenInfo',
  who: 'user',
  title: { cn: '退出其他所有终端', en: 'End all other sessions' },
  request: nothing,
  answer: z.object({ removed: z.int() }),
  errors: [],
})

export const updateSafety = route({
  method: 'POST',
  path: '/api/safety/update',
  who: 'user',
  title: { cn: '安全设置', en: 'Change security settings' },
  request: z.object({
    loginExpiryDays: z.literal(loginExpiryDays).optional(),
    notifyNewTerminal: z.boolean().optional(),
  }),
  answer: z.object({ loginExpiryDays: z.int(), notifyNewTerminal: z.boolean() }),
  errors: [],
})

export const setHideMap = route({
  method: 'PUT',
  path: '/api/user/v1/hideMap',
  who: 'user',
  title: { cn: '隐藏地图', en: 'Hide the map' },
  request: z.object({ hideMap: z.boolean() }),
  answer: nothing,
  errors: [],
})

const ownEntry = z.object({
  at: instant,
  actor: z.string().describe('Empty where it was someone else'),
  action: z.string().describe('Such as user.login'),
  target: z.string(),
  ip: z.string(),
  place: z.string().describe('Empty where the address has no known place'),
  terminal: z.string(),
  result: z.enum(['ok', 'refused']),
})
export type OwnAuditEntry = z.output<typeof ownEntry>

export const listOwnAudit = route({
  method: 'GET',
  path: '/api/user/v1/auditLog',
  who: 'user',
  title: { cn: '登录与操作记录', en: 'List your sign-in and security log' },
  request: z.object({
    page,
    pageSize: pageSize(20, 100),
    from: instant.optional(),
    to: instant.optional(),
  }),
  answer: paged(ownEntry),
  errors: [],
})
