import { setImmediate } from 'node:timers/promises'
import { createMachine, createTestDatabase } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { MachineLogins } from './login.ts'

const gatherMs = 1_000

it('machines that come back one after the other share a query', async () => {
  const { db, drop } = await createTestDatabase({ poolMax: 2 })
  try {
    const machines = await Promise.all(Array.from({ length: 4 }, () => createMachine(db)))
    let queries = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const logins = new MachineLogins(counted, gatherMs)
    const check = (place: number) => {
      const { code = '', secret = '' } = machines[place] ?? {}
      return logins.check(code, Buffer.from(secret), '10.1.2.3')
    }
    expect(await check(0)).toMatchObject({ code: machines[0]?.code })
    expect(queries).toBe(1)
    const later: ReturnType<typeof check>[] = []
    for (const place of [1, 2, 3]) {
      later.push(check(place))
      await setImmediate()
    }
    const codes = (await Promise.all(later)).map((login) => typeof login === 'object' && login.code)
    expect(codes).toEqual(machines.slice(1).map(({ code }) => code))
    expect(queries).toBe(2)
  } finally {
    await drop()
  }
})
