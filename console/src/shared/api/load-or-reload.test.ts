import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadOrReload } from './load-or-reload.ts'
import { noteReachable } from './reachability.ts'

let answers: boolean
let reloads: number
let isThere: boolean

beforeEach(() => {
  vi.useFakeTimers()
  answers = true
  reloads = 0
  isThere = false
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('fetch', async () => {
    if (!answers) throw new TypeError('network')
    return new Response('{}')
  })
})

afterEach(() => {
  noteReachable()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const load = () =>
  loadOrReload(
    async () => {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module')
      return 'part'
    },
    () => reloads++,
  ).catch(() => 'failed')

it('reloads the page once for a part that an update removed, and again only after it loaded', async () => {
  expect([await load(), await load(), reloads]).toEqual(['failed', 'failed', 1])
  isThere = true
  expect(await load()).toBe('part')
  isThere = false
  expect([await load(), reloads]).toEqual(['failed', 2])
})

it('leaves the page alone while the platform is away', async () => {
  answers = false
  expect([await load(), reloads]).toEqual(['failed', 0])
})

it('leaves the page alone where it could not remember that it did', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect([await load(), reloads]).toEqual(['failed', 0])
})
