import { z } from 'zod'
import { id, instant, nothing, paged } from './fields.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

const followerNameMax = 60

const follower = z
  .string()
  .max(followerNameMax)
  .regex(/^[a-z][A-Za-z0-9.]*$/)

const setAsideRow = z.object({
  follower: z.string(),
  factId: id,
  kind: z.string(),
  machineId: id.nullable(),
  userId: id.nullable(),
  eid: id.nullable(),
  at: instant.describe('When it became true'),
  setAsideAt: instant,
  tries: z.int(),
  error: z.string().describe('Of the last try that failed'),
})
export type SetAsideRow = z.output<typeof setAsideRow>

export const listFactsSetAside = route({
  method: 'GET',
  path: '/api/operator/v1/facts/set-aside',
  who: 'operator',
  title: { cn: '搁置的事实', en: 'Facts that were set aside' },
  request: z.object({ page: paging.page, pageSize: paging.pageSize }),
  answer: paged(setAsideRow),
  errors: [],
})

export const retryFactSetAside = route({
  method: 'POST',
  path: '/api/operator/v1/facts/set-aside/:follower/:factId/retry',
  who: 'operator',
  title: { cn: '重新处理搁置的事实', en: 'Handle a fact again that was set aside' },
  request: z.object({ follower, factId: id }),
  answer: nothing,
  errors: ['404', 'FACT_NOT_HANDLED'],
})
