import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccess } from './access-port.ts'

const database = useDatabase()

/** Often enough for PostgreSQL to choose a plan for any parameters. */
const readings = 8

test('the plan of a right to one machine is cached; a query for everybody who has a machine gets its own plan', async () => {
  const [owner, guest] = [await database.createUser(), await database.createUser()]
  const { machineId } = await database.createMachine({ owner: owner.userId })
  await database.grantMachine(guest.userId, machineId, { role: 'visitor' })
  const now = Date.now()
  await database.db.connection().execute(async (one) => {
    const access = createAccess(one)
    for (let reading = 0; reading < readings; reading++) {
      const [own, lent] = [
        await access.list(owner.userId, [machineId], now),
        await access.list(guest.userId, [machineId], now),
      ]
      expect([own, lent].map((rights) => rights.get(machineId)?.role)).toEqual(['akey', 'visitor'])
      expect(await access.listAudience([machineId], now)).toHaveLength(2)
      expect(await access.listHolders(machineId, 10, now)).toHaveLength(2)
      expect(await access.listKeys(machineId, now)).toHaveLength(1)
    }
    const { rows } = await sql<{ name: string; generic: number }>`
      select name, generic_plans as generic from pg_prepared_statements`.execute(one)
    expect(rows).toEqual([{ name: 'facts-of-one', generic: expect.any(Number) }])
    expect(rows[0]?.generic).toBeGreaterThan(0)
  })
})
