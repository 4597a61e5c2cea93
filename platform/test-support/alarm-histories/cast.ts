import type { Client, MemberRight } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createUser,
  grantMachine,
  openWindow,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { injectClient } from '../http/inject-client.ts'
import { sample } from '../telemetry/test-store.ts'

/** A machine of a history: of a person, or of the enterprise. */
export interface CastMachine {
  readonly id: number
  readonly isDevice: boolean
}

/** The people, machines and the enterprise of one history; nothing of it is in another's. */
export interface Cast {
  /** Own machines, hold rights to others', and are members of the enterprise. */
  readonly people: readonly TestUser[]
  /** Owns the enterprise. */
  readonly boss: TestUser
  /** Owns the enterprise that maintains the machines. */
  readonly mender: TestUser
  readonly operator: TestUser
  readonly eid: number
  readonly menderEid: number
  readonly machines: readonly CastMachine[]
  /** Runs work in the lane of the machines' own alarms, after earlier requests. */
  inLane(work: (client: pg.ClientBase) => Promise<void>): Promise<void>
  end(): Promise<void>
  clientOf(user: TestUser): Client
}

const peopleCount = 4
const machinesOfPeople = 2
const devices = 2
const stockOfPerson = 60
const stockOfEnterprise = 150
/** The machines' messages before the first step. */
export const firstValue = 20
export const memberRightsDrawn = [
  ['alarm'],
  ['view'],
  ['control', 'alarm'],
  ['manage'],
] as const satisfies readonly (readonly MemberRight[])[]

let phones = 10_000_000

export async function createCast(site: TestPlatform, now: number): Promise<Cast> {
  const { db } = site
  const people: TestUser[] = []
  for (let count = 0; count < peopleCount; count++)
    people.push(await createUser(db, { phone: `139${++phones}` }))
  const operator = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  const [space, workshop] = [await createEnterprise(db), await createEnterprise(db, 'Workshop')]
  const machines: CastMachine[] = []
  for (let count = 0; count < machinesOfPeople + devices; count++) {
    const isDevice = count >= machinesOfPeople
    const owner = people[count]?.userId ?? 0
    const { machineId } = isDevice
      ? await createEnterpriseMachine(db, space.eid)
      : await createMachine(db, { owner })
    await site.platform.telemetry.append(machineId, [sample('temp', firstValue, { time: now - 60_000 })])
    machines.push({ id: machineId, isDevice })
    await openWindow(db, {
      eid: workshop.eid,
      machineId,
      start: now,
      stop: now + 40 * 60_000,
      scopes: ['view'],
    })
  }
  await recharge(site, space.eid, people, now)
  for (const [place, person] of people.slice(1).entries()) {
    const rights = [...(memberRightsDrawn[place] ?? [])]
    await joinEnterprise(site, space.eid, person.userId, rights)
  }
  const [first, second, third] = people as [TestUser, TestUser, TestUser]
  const [ofFirst, ofSecond] = machines as [CastMachine, CastMachine]
  await grantMachine(db, second.userId, ofFirst.id, { role: 'bkey' })
  await grantMachine(db, third.userId, ofFirst.id, { role: 'visitor' })
  await grantMachine(db, first.userId, ofSecond.id, { role: 'visitor' })
  const lane = new pg.Client({
    ...site.connection,
    types: {
      getTypeParser: (oid) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid)),
    },
  } as pg.ClientConfig)
  await lane.connect()
  const clients = new Map<number, Client>()
  let last: Promise<void> = Promise.resolve()
  return {
    people,
    boss: space.owner,
    mender: workshop.owner,
    operator,
    eid: space.eid,
    menderEid: workshop.eid,
    machines,
    inLane(work) {
      last = last.then(() => work(lane))
      return last
    },
    end: () => lane.end(),
    clientOf(user) {
      const client = clients.get(user.userId) ?? injectClient(site, user)
      clients.set(user.userId, client)
      return client
    },
  }
}

/** Puts a person into an enterprise, who may have left it before. */
export async function joinEnterprise(
  { db }: TestPlatform,
  eid: number,
  userId: number,
  rights: readonly MemberRight[],
): Promise<void> {
  await db
    .insertInto('enterprise_members')
    .values({ enterprise_id: eid, user_id: userId, role: 'member', rights: [...rights] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function recharge(
  { db }: TestPlatform,
  eid: number,
  people: readonly TestUser[],
  now: number,
): Promise<void> {
  const owners = [
    ...people.map(({ userId }) => ({ userId, eid: null, stock: stockOfPerson })),
    { userId: null, eid, stock: stockOfEnterprise },
  ]
  for (const { userId, eid: enterpriseId, stock } of owners)
    await sql`
      with made as (
        insert into sms_stocks (user_id, enterprise_id, stock, created_at)
        values (${userId}, ${enterpriseId}, ${stock}, ${new Date(now)}) returning id
      )
      insert into sms_stock_records (stock_id, kind, segments, change, remaining, at)
      select id, 'recharge', ${stock}, ${stock}, ${stock}, ${new Date(now)} from made`.execute(db)
}
