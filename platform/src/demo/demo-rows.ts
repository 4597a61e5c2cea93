import { demoMachineCode, type Lang, type PlaceSource, placeTypes, placeWays } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../kernel/database/database.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { hashPassword, hashToken } from '../modules/accounts/index.ts'
import { createDemoAlarms } from './demo-alarms.ts'
import { createDemoBoard } from './demo-boards.ts'
import { createDemoEnterprise } from './demo-enterprise.ts'
import { createDemoMessages } from './demo-messages.ts'
import { createDemoProjects, type DemoReceiver } from './demo-projects.ts'
import { createDemoReport } from './demo-reports.ts'
import { createDemoSettings } from './demo-settings.ts'
import { createDemoSims } from './demo-sims.ts'
import { createDemoSites } from './demo-sites.ts'
import { demoTexts } from './demo-texts.ts'

/** One for each language. */
type BothLanguages = Readonly<Record<Lang, string>>

/** A variable as people read it, of a machine whose protocol names it by a bare word. */
export interface CatalogueTag {
  readonly name: string
  readonly type: 'float64' | 'int64' | 'bool' | 'string'
  /** By language; `group/{lang}` names the group. */
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly min: number | null
  readonly max: number | null
  readonly readOnly: boolean
  readonly isKey: boolean
}

interface Point {
  readonly lat: number
  readonly lng: number
}

/** WGS-84. */
export interface CataloguePlace extends Point {
  readonly address: BothLanguages
  readonly source: PlaceSource
  /** It goes about in its work: moves raise nothing. */
  readonly travels?: boolean
  /** Where it stood until the day before the demo was made. */
  readonly movedFrom?: Point
}

/** A line of the simulator's catalogue. */
export interface CatalogueEntry {
  readonly trade: string
  readonly machineType: string
  readonly model: string
  readonly name: BothLanguages
  readonly remark: BothLanguages
  /** Absent: its place is not known. */
  readonly place?: CataloguePlace
  /** Only for machines that do not send them. */
  readonly tags?: readonly CatalogueTag[]
}

/** A machine of this installation's demo, with the secrets of its label and its agent. */
export interface DemoMachine extends CatalogueEntry {
  /** The language of the account that owns it; absent: both accounts have it. */
  readonly lang?: Lang
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
  readonly receiver: DemoReceiver
}

/** As far back as the demo's made-up past reaches. */
const pastMs = 7 * 24 * 3_600_000
const langs = ['en', 'cn'] as const

/** Codes of the demo's machines that are there, by their name in the language of their owner. */
export async function listDemoCodes(db: Database, accounts: BothLanguages): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('machines')
    .innerJoin('machine_list_entries as entry', 'entry.machine_id', 'machines.id')
    .innerJoin('users', 'users.id', 'entry.user_id')
    .select(['machines.code', 'machines.name'])
    .where('users.email', 'in', [accounts.en, accounts.cn])
    .execute()
  return new Map(rows.map((row) => [row.name, row.code]))
}

/**
 * Makes the demo's people, machines, rights and the connections of the week before, or as many of them as are missing.
 * Rows that are there get the plan's password and secrets, so that they work. Answers the people's ids.
 */
export async function createDemoRows(db: Database, plan: DemoPlan): Promise<readonly number[]> {
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
    const machineIds = { en: new Map<string, number>(), cn: new Map<string, number>() }
    for (const machine of plan.machines) {
      const row = known.find(({ code }) => code === machine.code)
      const machineId = row?.id ?? (await createMachine(trx, plan, people, machine))
      if (row && machine.lang) await removeOther(trx, row.id, people[machine.lang === 'en' ? 'cn' : 'en'])
      for (const lang of machine.lang ? [machine.lang] : langs) machineIds[lang].set(machine.trade, machineId)
      if (row && !row.secret_hash.equals(hashToken(machine.secret))) await updateSecrets(trx, row.id, machine)
    }
    for (const lang of langs) {
      const plant = { lang, ownerId: people[lang], machineIds: machineIds[lang], madeAt: plan.madeAt }
      await createDemoEnterprise(trx, plant)
      await createDemoMessages(trx, plant, Date.now())
      await createDemoAlarms(trx, plant)
      await createDemoBoard(trx, plant)
      await createDemoSites(trx, plant)
      await createDemoSims(trx, plant)
      await createDemoReport(trx, plant)
      await createDemoProjects(trx, plant, plan.receiver)
      await createDemoSettings(trx, plant)
    }
    return [people.en, people.cn]
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
    .values(langs.map((lang) => person(demoTexts[lang].owner, plan.accounts[lang], lang)))
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

/** An earlier demo had one plant for both people. */
async function removeOther(trx: Transaction<DB>, machineId: number, userId: number): Promise<void> {
  for (const table of ['machine_grants', 'machine_list_entries'] as const) {
    const removed = await trx
      .deleteFrom(table)
      .where('machine_id', '=', machineId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (removed.numDeletedRows > 0n) await recordRightChange(trx, { userId, machineId, reason: 'removed' })
  }
}

async function updateSecrets(trx: Transaction<DB>, machineId: number, machine: DemoMachine): Promise<void> {
  await trx
    .updateTable('machines')
    .set({ secret_hash: hashToken(machine.secret), password_hash: await hashLabel(machine) })
    .where('id', '=', machineId)
    .execute()
}

/** The shared demo machine has no password: everybody may enter it, and nobody may own it. */
async function hashLabel(machine: DemoMachine): Promise<string | null> {
  return machine.code === demoMachineCode ? null : hashPassword(machine.password, 'known')
}

const dayMs = 24 * 3_600_000

async function createPlace(
  trx: Transaction<DB>,
  machineId: number,
  { lat, lng, address, source, travels, movedFrom }: CataloguePlace,
  madeAt: number,
): Promise<void> {
  const sinceAt = new Date(madeAt - pastMs)
  const movedAt = new Date(madeAt - dayMs)
  const anchor = movedFrom ?? { lat, lng }
  await trx
    .insertInto('machine_places')
    .values({
      machine_id: machineId,
      ...{ lat, lng, source },
      fixed_at: movedFrom ? movedAt : sinceAt,
      address_cn: address.cn,
      address_en: address.en,
      type: source === 'manual' ? placeTypes.manual : placeTypes.auto,
      way: source === 'gps' ? placeWays.gps : source === 'cells' ? placeWays.baseStation : null,
      anchor_lat: anchor.lat,
      anchor_lng: anchor.lng,
      ...(travels ? { moved_after_m: null } : {}),
      ...(movedFrom ? { away_since: movedAt, is_moved: true } : {}),
    })
    .execute()
  const known = movedFrom
    ? [
        { ...movedFrom, at: sinceAt },
        { lat, lng, at: movedAt },
      ]
    : [{ lat, lng, at: sinceAt }]
  await trx
    .insertInto('machine_place_history')
    .values(known.map((place) => ({ machine_id: machineId, ...place, source })))
    .execute()
}

async function createMachine(
  trx: Transaction<DB>,
  plan: DemoPlan,
  people: Readonly<Record<Lang, number>>,
  machine: DemoMachine,
): Promise<number> {
  const isOpen = machine.code === demoMachineCode
  const lang = machine.lang ?? 'en'
  const { id } = await trx
    .insertInto('machines')
    .values({
      code: machine.code,
      type: machine.machineType,
      model: machine.model,
      name: machine.name[lang],
      secret_hash: hashToken(machine.secret),
      password_hash: await hashLabel(machine),
      owner_user_id: isOpen ? null : people[lang],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (machine.place) await createPlace(trx, id, machine.place, plan.madeAt)
  await trx
    .insertInto('machine_list_entries')
    .values(
      (machine.lang ? [machine.lang] : langs).map((reader) => ({
        user_id: people[reader],
        machine_id: id,
        name: machine.name[reader],
        remark: machine.remark[reader],
      })),
    )
    .execute()
  if (!machine.lang && !isOpen)
    await trx
      .insertInto('machine_grants')
      .values({ machine_id: id, user_id: people.cn, role: 'bkey' })
      .execute()
  await createTags(trx, id, machine.tags ?? [], new Date(plan.madeAt - pastMs))
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

/** Names and units that the machine does not send; its values are matched by name. */
async function createTags(
  trx: Transaction<DB>,
  machineId: number,
  tags: readonly CatalogueTag[],
  createdAt: Date,
): Promise<void> {
  if (tags.length === 0) return
  await trx
    .insertInto('tags')
    .values(
      tags.map(({ name, type, label, unit, scale, min, max, readOnly, isKey }) => ({
        machine_id: machineId,
        group_name: '',
        name,
        type,
        label: JSON.stringify(label),
        unit,
        scale,
        min,
        max,
        read_only: readOnly,
        is_key: isKey,
        created_at: createdAt,
      })),
    )
    .execute()
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
