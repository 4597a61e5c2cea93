import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test, vi } from 'vitest'

const site = useSite()

test('a visitor’s closed page leaves no timer of its visit time behind', async () => {
  const visitor = await site.createUser()
  const machine = await site.createMachine()
  const until = new Date(Date.now() + 30 * 86_400_000)
  await site.grantMachine(visitor.userId, machine.machineId, { role: 'visitor', until })
  const hourMs = 3_600_000
  const set = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const page = await PushClient.open(site.url, visitor.token)
  // A page that watches anew, as one does that is opened and closed all day.
  const timers = () =>
    set.mock.results
      .filter((_, place) => (set.mock.calls[place]?.[1] ?? 0) > hourMs)
      .map(({ value }) => value)
  for (let i = 1; i <= 5; i++) {
    page.watch(machine.machineId)
    await expect.poll(() => timers().length).toBe(i)
  }
  page.close()
  await expect.poll(() => site.platform.hub.stats().sockets).toBe(0)
  const gone = new Set(cleared.mock.calls.map(([timer]) => timer))
  const left = timers().filter((timer) => !gone.has(timer))
  vi.restoreAllMocks()
  expect(left.length).toBe(0)
})
