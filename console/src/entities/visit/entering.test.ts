import { ApiError, visits } from '@busbar/contract'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import type { PasswordProof } from '../application/apply-wish.ts'

const asked: string[] = []
let sent: unknown
const answers: Record<string, unknown> = {}
vi.mock('../../shared/api/client.ts', () => ({
  call: async ({ path }: { path: string }, input: unknown) => {
    asked.push(path)
    sent = input
    return answers[path]
  },
}))
vi.mock('../../shared/session/session.ts', () => ({ getTerminalId: () => 'terminal' }))

let explain: typeof import('./entering.ts').explain
let enterFailures: typeof import('./entering.ts').enterFailures
let enterMachine: typeof import('./entering.ts').enterMachine
beforeAll(async () => {
  ;({ explain, enterFailures, enterMachine } = await import('./entering.ts'))
})

const refusal = (code: string, more: { http?: number; data?: unknown } = {}) =>
  new ApiError({ http: more.http ?? 200, hwcode: 420, code, message: 'in its words', data: more.data })

describe('entering a machine', () => {
  const url = 'https://7.visit.example/'
  beforeEach(() => {
    asked.length = 0
    answers[visits.checkVisit.path] = { next: 'open', online: true, mode: 'rw' }
    answers[visits.openVisit.path] = { url }
  })
  const enter = (isPressed: boolean, proof?: PasswordProof) =>
    enterMachine(
      { machineId: 7, target: undefined, isPressed, proof },
      () => undefined,
      new AbortController().signal,
    )

  it('opens no visit for a link, and says what entering would do', async () => {
    expect(await enter(false)).toEqual({ asks: 'rw' })
    expect(asked).toEqual([visits.checkVisit.path])
  })

  it('is one step for a person who pressed', async () => {
    expect(await enter(true)).toEqual({ url })
    expect(asked).toEqual([visits.checkVisit.path, visits.openVisit.path])
  })

  it('uses the machine’s password that a person without a right proved', async () => {
    answers[visits.checkVisit.path] = { next: 'password', online: true, mode: 'ro' }
    const proof = { ticket: 'proved', mode: 'ro' } as const
    expect(await enter(true, proof)).toEqual({ url })
    expect(asked).toEqual([visits.openVisit.path])
    expect(sent).toMatchObject(proof)
  })

  it('tells a person who came by a link why they cannot enter', async () => {
    answers[visits.checkVisit.path] = { next: 'apply', online: true, mode: 'ro' }
    expect(await enter(false)).toMatchObject({ failure: { code: 'GENERAL_USER' } })
    answers[visits.checkVisit.path] = { next: 'open', online: false, mode: 'rw' }
    expect(await enter(false)).toMatchObject({ failure: { code: 'OFFLINE' } })
  })
})

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

  it('offers only the ways that the platform named', () => {
    const denial = (data: unknown) => explain(refusal('GENERAL_USER', { data })).denial
    expect(denial({ next: 'wait', applyId: 7, auditState: 2 })).toEqual({
      next: 'wait',
      applyId: 7,
      auditState: 2,
    })
    expect(denial({ next: 'closed', opensAt: 1_000, applyId: 'x' })).toEqual({
      next: 'closed',
      opensAt: 1_000,
    })
    for (const data of [undefined, null, 'apply', {}, { next: 'run' }]) expect(denial(data)).toBeUndefined()
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
