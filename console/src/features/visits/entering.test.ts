import { ApiError } from '@busbar/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { cn } from '../../i18n/cn/index.ts'
import { en } from '../../i18n/en/index.ts'

// The call of the console reads its language and the browser's storage as it is loaded.
let explain: typeof import('./entering.ts').explain
let enterFailures: typeof import('./entering.ts').enterFailures
beforeAll(async () => {
  ;({ explain, enterFailures } = await import('./entering.ts'))
})

const refusal = (code: string, more: { http?: number; data?: unknown } = {}) =>
  new ApiError({ http: more.http ?? 200, hwcode: 420, code, message: 'in its words', data: more.data })

describe('why a machine cannot be entered', () => {
  it('has words for every reason in both languages', () => {
    for (const { visits } of [cn, en])
      for (const code of enterFailures) expect(visits.page.failures[code], code).toBeDefined()
  })

  it('names who is in control, and survives an answer that does not', () => {
    expect(explain(refusal('CONTROL_TAKEN', { data: { who: 'Wang' } })).who).toBe('Wang')
    for (const data of [undefined, null, 'Wang', { who: 7 }])
      expect(explain(refusal('CONTROL_TAKEN', { data })).who).toBe('')
  })

  it('offers only what the platform said can be done, whatever else it sends', () => {
    const whyNot = (data: unknown) => explain(refusal('GENERAL_USER', { data })).whyNot
    expect(whyNot({ next: 'wait', applyId: 7, auditState: 2 })).toEqual({
      next: 'wait',
      applyId: 7,
      auditState: 2,
    })
    expect(whyNot({ next: 'closed', opensAt: 1_000, applyId: 'x' })).toEqual({
      next: 'closed',
      opensAt: 1_000,
    })
    for (const data of [undefined, null, 'apply', {}, { next: 'run' }]) expect(whyNot(data)).toBeUndefined()
  })

  it('tells a platform that does not answer from one that refuses', () => {
    expect(explain(refusal('', { http: 0 })).code).toBe('unreachable')
    expect(explain(refusal('', { http: 503 })).code).toBe('unreachable')
    expect(explain(refusal('403', { http: 403 }))).toEqual({
      code: 'other',
      message: 'in its words',
      who: '',
    })
  })
})
