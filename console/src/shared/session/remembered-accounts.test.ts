import { beforeEach, describe, expect, it, vi } from 'vitest'

const day = 86_400_000

class MemoryStorage {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
  removeItem = (key: string) => void this.items.delete(key)
}

let storage: MemoryStorage

async function load() {
  vi.resetModules()
  return import('./remembered-accounts.ts')
}

describe('the accounts used on this browser', () => {
  beforeEach(() => {
    storage = new MemoryStorage()
    vi.stubGlobal('localStorage', storage)
  })

  it('are kept 30 days, the latest first, names only', async () => {
    const { listAccounts, rememberAccount } = await load()
    rememberAccount({ kind: 'email', name: 'a@b.cn', usedAt: 0 })
    rememberAccount({ kind: 'phone', name: '13800138000', countryCode: '86', usedAt: day })
    rememberAccount({ kind: 'email', name: 'a@b.cn', usedAt: 2 * day })
    expect(listAccounts(3 * day).map(({ name }) => name)).toEqual(['a@b.cn', '13800138000'])
    expect(listAccounts(31 * day).map(({ name }) => name)).toEqual(['a@b.cn'])
    expect(listAccounts(32 * day)).toEqual([])
  })

  it('outlive the page, and a change of the storage version ends them', async () => {
    const first = await load()
    first.rememberAccount({ kind: 'email', name: 'a@b.cn', usedAt: Date.now() })
    expect((await load()).listAccounts()).toHaveLength(1)
    storage.setItem('busbar.version', 'v0.9')
    storage.setItem('busbar.terminal', 'kept')
    expect((await load()).listAccounts()).toEqual([])
    expect(storage.getItem('busbar.terminal')).toBe('kept')
  })

  it('can be forgotten', async () => {
    const { forgetAccount, listAccounts, rememberAccount } = await load()
    const account = { kind: 'email', name: 'a@b.cn', usedAt: Date.now() } as const
    rememberAccount(account)
    forgetAccount(account)
    expect(listAccounts()).toEqual([])
  })
})
