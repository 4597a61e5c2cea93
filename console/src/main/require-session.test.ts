import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requireSession } from './require-session.ts'

const replace = vi.fn()

beforeEach(() => {
  vi.stubGlobal('location', { href: 'http://localhost/', origin: 'http://localhost', search: '', replace })
})

afterEach(() => {
  vi.unstubAllGlobals()
  replace.mockReset()
})

const enter = (cookie: string, preload: boolean) => {
  vi.stubGlobal('document', { cookie })
  return requireSession({ location: { href: '/safety' }, preload })
}

describe('a page behind a session', () => {
  it('is entered with one', async () => {
    await enter('loggedIn=1', false)
    expect(replace).not.toHaveBeenCalled()
  })

  it('leads to the sign-in without one, and back', () => {
    void enter('', false)
    expect(replace).toHaveBeenCalledExactlyOnceWith('/login?to=%2Fsafety')
  })

  it('does not leave the page where a link to it is only pointed at', async () => {
    await expect(enter('', true)).rejects.toMatchObject({ isNotFound: true })
    expect(replace).not.toHaveBeenCalled()
  })
})
