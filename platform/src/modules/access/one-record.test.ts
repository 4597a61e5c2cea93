import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { access } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const site = useSite()

const modules = path.resolve(import.meta.dirname, '..')
const byHand = /\b(writeAudit|auditAct|createUserEvents|recordRightChanges?)\(/

test('services of access and enterprises record, and write no entry and no change by hand', () => {
  const files = globSync(['access/**/*.ts', 'enterprises/**/*.ts'], { cwd: modules })
    .filter((file) => !file.endsWith('.test.ts'))
    // A change of owner has its own fact.
    .filter((file) => path.basename(file) !== 'ownership.ts')
  expect(files.length).toBeGreaterThan(50)
  const writers = files.filter((file) => byHand.test(readFileSync(path.join(modules, file), 'utf8')))
  expect(writers).toEqual([])
})

test('one act is one fact without an address or a name; open pages, log and messages follow at its commit', async () => {
  const [akey, guest] = [await site.createUser({ name: 'Ada Akey' }), await site.createUser()]
  const { machineId } = await site.createMachine({ owner: akey.userId })
  const input = { machineID: machineId, account: guest.email, validTime: -1, mode: 'rw' } as const
  await site.as(akey).call(access.addVisitor, input)
  const of = async (table: string) =>
    (await sql`select * from ${sql.table(table)} where machine_id = ${machineId}`.execute(site.db)).rows
  const [facts, changes, inbox] = await Promise.all([of('facts'), of('right_changes'), of('messages')])
  expect(facts).toMatchObject([
    {
      kind: 'grant.given',
      user_id: guest.userId,
      payload: { by: akey.userId, role: 'visitor', until: null },
    },
  ])
  expect(JSON.stringify(facts)).not.toMatch(/Ada Akey|127\.0\.0\.1|address/)
  expect(changes).toMatchObject([{ user_id: guest.userId, reason: 'granted' }])
  expect(inbox).toMatchObject([{ user_id: guest.userId, type: 'rightGiven', params: { person: 'Ada Akey' } }])
  const entries = await site.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', 'machine.right.granted')
    .where('actor_user_id', '=', akey.userId)
    .execute()
  expect(entries).toMatchObject([{ detail: { machineId, userId: guest.userId, until: null } }])
  expect(entries[0]?.address).not.toBe('')
  // Each of them was written by the transaction that recorded.
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from (
      select xmin from facts where machine_id = ${machineId}
      union all select xmin from right_changes where machine_id = ${machineId}
      union all select xmin from messages where machine_id = ${machineId}) as written`.execute(site.db)
  expect(rows).toEqual([{ count: 1 }])
})
