import { beforeEach, describe, expect, it, vi } from 'vitest'

class MemoryStorage {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
  removeItem = (key: string) => void this.items.delete(key)
}

let storage: MemoryStorage
let requests: typeof import('./enter-request.ts')
beforeEach(async () => {
  storage = new MemoryStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('location', new URL('https://console.example/index/'))
  requests = await import('./enter-request.ts')
})

const own = { machineId: 7, target: undefined }

describe('a press that enters a machine', () => {
  it('is noted for one page, once', () => {
    requests.keepEnterRequest(own)
    expect(requests.takeEnterRequest({ machineId: 8, target: undefined })).toBe(false)
    expect(requests.takeEnterRequest({ machineId: 7, target: 'mixer' })).toBe(false)
    expect(requests.takeEnterRequest({ machineId: 7, target: 'page' })).toBe(true)
    expect(requests.takeEnterRequest(own)).toBe(false)
    expect(storage.items.size).toBe(0)
  })

  it('counts for a minute, and two at the same time do not replace each other', () => {
    requests.keepEnterRequest(own, 0)
    requests.keepEnterRequest({ machineId: 8, target: 'mixer' }, 30_000)
    expect(requests.takeEnterRequest(own, 60_000)).toBe(false)
    expect(requests.takeEnterRequest({ machineId: 8, target: 'mixer' }, 60_000)).toBe(true)
  })

  it('is not there where a link was followed, whatever the browser kept', () => {
    for (const kept of ['', '{', '7', '[[7]]', '[["7 page"]]', 'null']) {
      storage.setItem('busbar.enterWishes', kept)
      expect(requests.takeEnterRequest(own), kept).toBe(false)
    }
  })

  it('is missing in a browser without storage', () => {
    vi.stubGlobal('localStorage', undefined)
    expect(() => requests.keepEnterRequest(own)).not.toThrow()
    expect(requests.takeEnterRequest(own)).toBe(false)
  })

  it.each([
    ['/visit/7', own],
    ['/visit/7?lang=en', own],
    ['/visit/7?target=mixer', { machineId: 7, target: 'mixer' }],
    ['/visit/authorize?host=x', undefined],
    ['/visit/7/report', undefined],
    ['/index/?machine=7', undefined],
  ])('%s is read as a way in or as none', (path, request) => {
    expect(requests.readEnterRequest(`https://console.example${path}`)).toEqual(request)
  })
})
