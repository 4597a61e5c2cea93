import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createAccess } from '../../src/modules/access/index.ts'
import { createRightsFixture, type RightsFixture } from './rights-fixture.ts'

const database = useDatabase()
let fixture: RightsFixture
beforeAll(async () => {
  fixture = await createRightsFixture(database.db)
})

test.each([false, true])(
  'a person holds those machines of an enterprise’s list that the one function about rights lets them hold; leaving: %s',
  async (isLeaving) => {
    const { db } = database
    if (isLeaving)
      await sql`update users set state = 'leaving', leaves_at = now() + interval '1 day'`.execute(db)
    const access = createAccess(db)
    const now = Date.now()
    const setups = [fixture.personal, fixture.enterprise, fixture.closed]
    const people: [string, number][] = setups.flatMap(({ name: setup, people }) =>
      Object.entries(people).map(([name, { user }]): [string, number] => [`${setup}, ${name}`, user.userId]),
    )
    for (const [name, { userId }] of fixture.members) people.push([`member, ${name}`, userId])
    expect(people.length).toBeGreaterThan(60)
    const { rows: lists } = await sql<{ eid: number; kind: 'owned' | 'maintained'; ids: number[] }>`
    select enterprise_id as eid, kind, array_agg(machine_id::float8) as ids from enterprise_machines group by 1, 2`.execute(
      db,
    )
    expect(new Set(lists.map(({ kind }) => kind)).size).toBe(2)
    const counts = { held: 0, not: 0 }
    for (const [name, userId] of people) {
      for (const list of lists) {
        const [rights, holds] = [
          await access.list(userId, list.ids, now),
          await access.holdsIn(userId, list, now),
        ]
        for (const id of list.ids) {
          const isHeld = rights.get(id)?.rights.has('holder') === true
          expect(holds(id), `${name}, ${list.kind} of ${list.eid}`).toBe(isHeld)
          counts[isHeld ? 'held' : 'not']++
        }
      }
    }
    expect(counts.not).toBeGreaterThan(50)
    expect(counts.held > 50).toBe(!isLeaving)
  },
)
