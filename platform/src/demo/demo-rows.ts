import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DB } from '../database/schema.gen.ts'
import { hashPassword, hashToken } from '../modules/accounts/index.ts'

interface BothLanguages {
  readonly cn: string
  readonly en: string
}

/** A line of the simulator's catalogue. */
export interface CatalogueEntry {
  readonly trade: string
  readonly machineType: string
  readonly model: string
  readonly name: BothLanguages
  readonly remark: BothLanguages
  readonly lat: number
  readonly lng: number
  readonly address: string
}

export interface DemoMachine extends CatalogueEntry {
  readonly code: string
  readonly secret: string
  readonly password: string
  /** Times away in the day before the demo was made, as epoch milliseconds. */
  readonly outages: readonly (readonly [number, number])[]
}

export interface DemoPlan {
  readonly password: string
  readonly madeAt: number
  readonly machines: readonly DemoMachine[]
  readonly accounts: BothLanguages
}

const dayMs = 24 * 3_600_000
/** Of these the second person is a visitor, of the others a Bkey. */
const visitorEvery = 6

/** Makes the demo's people, machines, rights and the connections of the day before; false when they are there. */
export async function createDemoRows(db: Database, plan: DemoPlan): Promise<boolean> {
  const passwordHash = await hashPassword(plan.password)
  return db.transaction().execute(async (trx) => {
    const people = await createPeople(trx, plan, passwordHash)
    if (!people) return false
    for (const [place, machine] of plan.machines.entries())
      await createMachine(trx, plan, people, machine, place)
    return true
  })
}

async function createPeople(trx: Transaction<DB>, plan: DemoPlan, passwordHash: string) {
  const person = (name: string, email: string, lang: string) => ({
    name,
    email,
    lang,
    password_hash: passwordHash,
    email_verified_at: new Date(plan.madeAt),
  })
  const rows = await trx
    .insertInto('users')
    .values([person('Lin Zhao', plan.accounts.en, 'en'), person('林昭', plan.accounts.cn, 'cn')])
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'lang'])
    .execute()
  const en = rows.find((row) => row.lang === 'en')?.id
  const cn = rows.find((row) => row.lang === 'cn')?.id
  return en === undefined || cn === undefined ? undefined : { en, cn }
}

async function createMachine(
  trx: Transaction<DB>,
  plan: DemoPlan,
  people: { en: number; cn: number },
  machine: DemoMachine,
  place: number,
): Promise<void> {
  const isShared = machine.trade === 'demo'
  const { id } = await trx
    .insertInto('machines')
    .values({
      code: machine.code,
      type: machine.machineType,
      model: machine.model,
      name: machine.name.en,
      secret_hash: hashToken(machine.secret),
      // Anybody may enter the shared demo machine and nobody can own it: it has no password.
      password_hash: isShared ? null : await hashPassword(machine.password),
      owner_user_id: isShared ? null : people.en,
      lat: machine.lat,
      lng: machine.lng,
      address: machine.address,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('machine_list_entries')
    .values([
      { user_id: people.en, machine_id: id, name: machine.name.en, remark: machine.remark.en },
      { user_id: people.cn, machine_id: id, name: machine.name.cn, remark: machine.remark.cn },
    ])
    .execute()
  if (!isShared) {
    const role = place % visitorEvery === visitorEvery - 1 ? 'visitor' : 'bkey'
    await trx.insertInto('machine_grants').values({ machine_id: id, user_id: people.cn, role }).execute()
  }
  const connections = connectedTimes(machine.outages, plan.madeAt)
  if (connections.length) {
    await trx
      .insertInto('machine_connections')
      .values(
        connections.map(([from, to]) => ({
          machine_id: id,
          protocol: 'demo',
          address: '127.0.0.1',
          started_at: new Date(from),
          last_seen_at: new Date(to),
          ended_at: new Date(to),
        })),
      )
      .execute()
  }
}

function connectedTimes(outages: DemoMachine['outages'], madeAt: number): [number, number][] {
  const times: [number, number][] = []
  let from = madeAt - dayMs
  for (const [awayFrom, awayTo] of [...outages].sort((a, b) => a[0] - b[0])) {
    if (awayFrom > from) times.push([from, awayFrom])
    from = Math.max(from, awayTo)
  }
  if (from < madeAt) times.push([from, madeAt])
  return times
}
