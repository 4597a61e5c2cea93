import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findRegistration, forgetRegistration, keepRegistration } from './kept-registration.ts'

const now = 1_700_000_000_000
const entry = { kind: 'phone', countryCode: '86', name: '13900139021' } as const
const endsAt = now + 300_000
const keep = () => keepRegistration(entry, { retryIn: 60, expireIn: 300 }, now)

describe('a registration whose page is reloaded before the code is typed', () => {
  const stored = new Map<string, string>()

  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('still knows the account, by the way it was registered', () => {
    keep()
    expect(findRegistration('phone', now)).toEqual({ entry, retryAt: now + 60_000, endsAt })
    expect(findRegistration('email', now)).toBeUndefined()
  })

  it('is forgotten once its code has run out, and once it is done', () => {
    keep()
    expect(findRegistration('phone', endsAt)).toBeUndefined()
    expect(stored.size).toBe(0)
    keep()
    forgetRegistration()
    expect(findRegistration('phone', now)).toBeUndefined()
  })

  it('starts over if the storage contains something else', () => {
    for (const other of ['', '{', 'null', '{"endsAt":9e15}', '[1]']) {
      stored.set('busbar.registration', other)
      expect(findRegistration('phone', now)).toBeUndefined()
    }
  })
})
