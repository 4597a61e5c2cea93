import { z } from 'zod'
import { id, nothing } from './fields.ts'
import { route } from './route.ts'

export const listUserEnterprises = route({
  method: 'POST',
  path: '/api/enterprises/userEnterpriseList',
  who: 'user',
  title: { cn: '所属企业', en: 'The enterprises one belongs to' },
  request: nothing,
  answer: z.array(
    z.object({
      eid: id,
      name: z.string(),
      enableProject: z.boolean(),
      role: z.enum(['owner', 'admin', 'member']),
    }),
  ),
  errors: [],
})
