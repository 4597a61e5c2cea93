import { demoMachineCode } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../kernel/database/database.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { hashPassword, hashToken } from '../modules/accounts/index.ts'
import { createDemoEnterprise } from './demo-enterprise.ts'
import { createDemoMessages } from './demo-messages.ts'

/** One for each language. */
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
  readonly address: BothLanguages
  readonly locationType: number
  readonly locationWay: number | null
}

/** A machine of this installation's demo, with what its label and its agent know. */
export interface DemoMachine extends CatalogueEntry {
  readonly code: string
  readonly secret: string
  readonly password: string
  /** Times away in the week before the demo was made, as epoch milliseconds. */
  readonly outages: readonly (readonly [number, number])[]
}

/** The people and machines of a demo. `accounts`: the e-mails of its two people. */
export interface DemoPlan {
  readonly password: string
  readonly madeAt: number
  readonly machines: readonly DemoMachine[]
  readonly accounts: BothLanguages
}

/** As far back as the demo's made-up past reaches. */
const pastMs = 7 * 24 * 3_600_000
/** Of these the second person is a visitor, of the others a Bkey. */
const visitorEvery = 6

/** Codes of the demo's machines that are there, by their English name. */
export async function listDemoCodes(db: Database, accounts: BothLanguages): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('machines')
    .innerJoin('machine_list_entries as entry', 'entry.machine_id', 'machines.id')
    .innerJoin('users', 'users.id', 'entry.user_id')
    .select(['machines.code', 'machines.name'])
    .where('users.email', '=', accounts.en)
    .execute()
  return new Map(rows.map((row) => [row.name, row.code]))
}

/**
 * Makes the demo's people, machines, rights and the connections of the week before, or as many of them as are missing.
 * Rows that are there get the plan's password and secrets, so that they work. True when every machine is new.
 */
export async function createDemoRows(db: Database, plan: DemoPlan): Promise<boolean> {
  const passwordHash = await hashPassword(plan.password, 'known')
  return db.transaction().execute(async (trx) => {
    const people = await openPeople(trx, plan, passwordHash)
    const known = await trx
      .selectFrom('machines')
      .select(['id', 'code', 'secret_hash'])
      .where(
        'code',
        'in',
        plan.machines.map((machine) => machine.code),
      )
      .execute()
    const machineIds = new Map<string, number>()
    for (const [place, machine] of plan.machines.entries()) {
      const row = known.find(({ code }) => code === machine.code)
      machineIds.set(machine.trade, row?.id ?? (await createMachine(trx, plan, people, machine, place)))
      if (row && !row.secret_hash.equals(hashToken(machine.secret))) await updateSecrets(trx, row.id, machine)
    }
    await createDemoEnterprise(trx, { people, machineIds, madeAt: plan.madeAt })
    await createDemoMessages(trx, { people, machineIds, madeAt: plan.madeAt }, Date.now())
    return known.length === 0
  })
}

/** Locks the demo's people and ends their sessions, if they are there. */
export async function lockDemoPeople(db: Database, accounts: BothLanguages): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const people = await trx
      .updateTable('users')
      .set({ state: 'locked' })
      .where('email', 'in', [accounts.en, accounts.cn])
      .where('state', '=', 'active')
      .returning('id')
      .execute()
    for (const { id: userId } of people) {
      const sessions = await trx
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .returning('id')
        .execute()
      for (const session of sessions) {
        await recordRightChange(trx, { sessionId: session.id, userId, reason: 'locked' })
      }
    }
  })
}

/** Both people, made or opened again, with the plan's password. */
async function openPeople(trx: Transaction<DB>, plan: DemoPlan, passwordHash: string) {
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
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({ password_hash: passwordHash, state: 'active' }),
    )
    .returning(['id', 'email'])
    .execute()
  const idOf = (email: string) => {
    const id = rows.find((row) => row.email === email)?.id
    if (id === undefined) throw new Error(`The demo's account ${email} could not be made`)
    return id
  }
  return { en: idOf(plan.accounts.en), cn: idOf(plan.accounts.cn) }
}

async function updateSecrets(trx: Transaction<DB>, machineId: number, machine: DemoMachine): Promise<void> {
  await trx
    .updateTable('machines')
    .set({ secret_hash: hashToken(machine.secret), password_hash: await hashLabel(machine) })
    .where('id', '=', machineId)
    .execute()
}

/** The shared demo machine has no password: everybody may enter it, and no person may own it. */
async function hashLabel(machine: DemoMachine): Promise<string | null> {
  return machine.code === demoMachineCode ? null : hashPassword(machine.password, 'known')
}

async function createMachine(
  trx: Transaction<DB>,
  plan: DemoPlan,
  people: { en: number; cn: number },
  machine: DemoMachine,
  place: number,
): Promise<number> {
  const isShared = machine.code === demoMachineCode
  const { id } = await trx
    .insertInto('machines')
    .values({
      code: machine.code,
      type: machine.machineType,
      model: machine.model,
      name: machine.name.en,
      secret_hash: hashToken(machine.secret),
      password_hash: await hashLabel(machine),
      owner_user_id: isShared ? null : people.en,
      lat: machine.lat,
      lng: machine.lng,
      // Both people read it: one column for two languages.
      address: `${machine.address.cn} / ${machine.address.en}`,
      location_type: machine.locationType,
      location_way: machine.locationWay,
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
  return id
}

function connectedTimes(outages: DemoMachine['outages'], madeAt: number): [number, number][] {
  const times: [number, number][] = []
  let from = madeAt - pastMs
  for (const [awayFrom, awayTo] of [...outages].sort((a, b) => a[0] - b[0])) {
    if (awayFrom > from) times.push([from, awayFrom])
    from = Math.max(from, awayTo)
  }
  if (from < madeAt) times.push([from, madeAt])
  return times
}
