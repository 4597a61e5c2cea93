import { z } from 'zod'
import { id, instant, paged } from './fields.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'
import { visitEndReasons, visitModes } from './visits.ts'

const visitRow = z.object({
  id,
  userId: id,
  user: z.string(),
  machineId: id,
  machine: z.string(),
  target: z.string(),
  mode: z.enum(visitModes),
  startedAt: instant,
  endedAt: instant.nullable().describe('Null: it goes on'),
  reason: z.enum(visitEndReasons).nullable(),
})
export type VisitRow = z.output<typeof visitRow>

const ofOne = { id, page: paging.page, pageSize: paging.pageSize }

/** Visits of a person, the newest first. */
export const listUserVisits = route({
  method: 'GET',
  path: '/api/operator/v1/users/:id/visits',
  who: 'operator',
  load: 'search',
  title: { cn: '用户的访问记录', en: 'List the visits of a user' },
  request: z.object(ofOne),
  answer: paged(visitRow),
  errors: ['404'],
})

/** Visits to a machine, the newest first, those under former owners among them. */
export const listMachineVisits = route({
  method: 'GET',
  path: '/api/operator/v1/machines/:id/visits',
  who: 'operator',
  load: 'search',
  title: { cn: '设备的访问记录', en: 'List the visits to a device' },
  request: z.object(ofOne),
  answer: paged(visitRow),
  errors: ['404'],
})
