import {
  createMachine,
  createUser,
  grantMachine,
  PushClient,
  startTestPlatform,
  type TestPlatform,
} from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

test('a visit time that runs out by itself is shown to its visitor without being asked', async () => {
  const akey = await createUser(site.db)
  const visitor = await createUser(site.db)
  const { machineId } = await createMachine(site.db, { owner: akey.userId })
  const page = await PushClient.open(site.url, visitor.token)
  await grantMachine(site.db, visitor.userId, machineId, {
    role: 'visitor',
    until: new Date(Date.now() + 1_000),
  })
  const level = await page.find((event) =>
    event.scene === 'machineState' && event.state.machineId === String(machineId)
      ? event.state.limitAuthority
      : undefined,
  )
  expect(level).toBe(0)
  page.close()
})
