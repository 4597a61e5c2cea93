import { z } from 'zod'
import { nothing } from './fields.ts'
import { route } from './route.ts'

export const getHealth = route({
  method: 'GET',
  path: '/healthz',
  who: 'public',
  title: { cn: '存活检查', en: 'Liveness' },
  request: nothing,
  answer: z.object({ status: z.literal('ok') }),
  errors: [],
  bare: true,
})

export const getReadiness = route({
  method: 'GET',
  path: '/readyz',
  who: 'public',
  title: { cn: '就绪检查', en: 'Readiness' },
  request: nothing,
  answer: z.object({ status: z.enum(['ok', 'missing']), missing: z.array(z.string()) }),
  errors: ['503'],
  bare: true,
})

export const getSecurityContact = route({
  method: 'GET',
  path: '/.well-known/security.txt',
  who: 'public',
  title: { cn: '安全问题联系方式', en: 'Get the contact for security reports' },
  request: nothing,
  answer: z.string(),
  errors: ['404'],
  bare: true,
})

export const getOpenApi = route({
  method: 'GET',
  path: '/api/openapi.json',
  who: 'public',
  title: { cn: '接口文档', en: 'Get the API document' },
  request: nothing,
  answer: z.record(z.string(), z.unknown()),
  errors: [],
  bare: true,
})
