import type { Lang } from '@busbar/contract'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Database } from '../kernel/database/database.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { newSecret, secretOwner } from '../modules/destinations/index.ts'
import { renewKey, revealKey } from '../modules/projects/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'
import { colleagues, deviceGroups, emailOf } from './demo-texts.ts'

const texts = {
  cn: {
    own: { name: '注塑 MES 对接', description: '注塑机与供水泵送往 MES' },
    receiver: '演示接收端',
    shared: { name: '能耗看板', description: '机加工与空压站的能耗' },
  },
  en: {
    own: { name: 'Moulding MES', description: 'Press and pumps, for the MES' },
    receiver: 'Demo receiver',
    shared: { name: 'Energy portal', description: 'Machining and air' },
  },
} as const satisfies Readonly<Record<Lang, unknown>>

/** The rows of the own project in its first month: a good part of those that its two machines bring, at one in 30 s. */
const rowsSent = 122_400

/** The box of the secrets of the demo's projects, and the place where its receiver listens. */
export interface DemoReceiver {
  readonly secrets: SecretBox
  readonly url: string
  /** Where it listened at the former start. */
  readonly formerUrl: string
}

/**
 * The projects of a demo account, made once: one of its own, whose rows go to the demo's receiver, and one of its
 * enterprise, which the receiver pulls; with a colleague in each.
 */
export async function createDemoProjects(
  trx: Transaction<DB>,
  plant: DemoPlant,
  receiver: DemoReceiver,
): Promise<void> {
  const { lang, ownerId, machineIds, madeAt } = plant
  const at = new Date(madeAt)
  const known = await trx
    .selectFrom('project_members')
    .select('id')
    .where('user_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  const space = await trx
    .selectFrom('enterprise_members')
    .select('enterprise_id')
    .where('user_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  if (known || !space) return
  const emails = colleagues.map(({ account }) => emailOf(account, lang))
  const people = await trx
    .selectFrom('users')
    .select('id')
    .where('email', 'in', emails)
    .orderBy('id')
    .execute()
  const [first, second] = people.map(({ id }) => id)
  const idsOf = (trades: readonly string[]) => trades.flatMap((trade) => machineIds.get(trade) ?? [])
  const made = { trx, ownerId, at }

  const own = await createProject(made, {
    user_id: ownerId,
    ...texts[lang].own,
    is_picture_shown: true,
    created_at: at,
  })
  await addMachines(made, own, idsOf(['injection-press', 'booster-pumps']))
  await addMembers(made, own, [
    { userId: first, isAccepted: true },
    { userId: second, isAccepted: false },
  ])
  await addReceiver(made, own, texts[lang].receiver, receiver)
  const month = `${at.toISOString().slice(0, 7)}-01`
  await trx.insertInto('project_usage').values({ project_id: own, month, rows: rowsSent }).execute()
  await sql`
    insert into project_minutes (project_id, minute, rows)
    select ${own}, minute, 4 from generate_series(
      date_trunc('minute', ${at}::timestamptz) - interval '23 hours 59 minutes',
      date_trunc('minute', ${at}::timestamptz), interval '1 minute') minute`.execute(trx)

  const eid = space.enterprise_id
  await trx.updateTable('enterprises').set({ enable_project: true }).where('id', '=', eid).execute()
  const settings = { enterprise_id: eid, type: 1, ...texts[lang].shared, created_at: at }
  const shared = await createProject(made, settings)
  await addMachines(made, shared, idsOf(Object.keys(deviceGroups)))
  await addMembers(made, shared, [{ userId: first, isAccepted: true }])
  for (const id of [own, shared]) await renewKey(receiver.secrets, trx, id, { endNow: true, at })
}

/** The secrets and keys that the receiver works with: people may have changed them since. */
export interface DemoReceiving {
  /** Of the destinations that lead to it. */
  readonly secrets: readonly string[]
  /** The projects that it pulls, with their keys. */
  readonly pulls: readonly { readonly projectId: number; readonly key: string }[]
}

/** Moves the demo's destinations to where the receiver listens now, and reads what it works with. */
export async function openDemoReceiving(
  db: Database,
  ownerIds: readonly number[],
  { secrets, url, formerUrl }: DemoReceiver,
  at: Date,
): Promise<DemoReceiving> {
  const projects = await db
    .selectFrom('projects')
    .innerJoin('project_members as owning', 'owning.project_id', 'projects.id')
    .select(['projects.id', 'projects.enterprise_id as enterpriseId'])
    .where('owning.level', '=', 3)
    .where('owning.user_id', 'in', ownerIds)
    .execute()
  if (projects.length === 0) return { secrets: [], pulls: [] }
  const projectIds = projects.map(({ id }) => id)
  await db
    .updateTable('destinations')
    .set({ url })
    .where('project_id', 'in', projectIds)
    .where('url', '=', formerUrl)
    .execute()
  const sealed = await db
    .selectFrom('destinations')
    .innerJoin('destination_secrets as secret', 'secret.destination_id', 'destinations.id')
    .select(['destinations.id', 'secret.sealed'])
    .where('project_id', 'in', projectIds)
    .where('url', '=', url)
    .execute()
  const pulls: { projectId: number; key: string }[] = []
  for (const { id, enterpriseId } of projects) {
    const key = enterpriseId === null ? '' : await revealKey(secrets, db, id, at)
    if (key !== '') pulls.push({ projectId: id, key })
  }
  return {
    secrets: sealed.flatMap(({ id, sealed }) => secrets.open(sealed, secretOwner(id))?.toString() ?? []),
    pulls,
  }
}

/** A destination that leads to the receiver, from the first row on. */
async function addReceiver(
  { trx, at }: Made,
  projectId: number,
  name: string,
  { secrets, url }: DemoReceiver,
): Promise<void> {
  const { id } = await trx
    .insertInto('destinations')
    .values({
      ...{ project_id: projectId, name, type: 'webhook', url, format: 'json', created_at: at },
      ...{ is_ndjson: false, is_gzip: false, rows_max: 1_000, has_rows: true, events: [] },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.insertInto('destination_lanes').values({ destination_id: id, lane: 0, acked_no: 0 }).execute()
  const sealed = secrets.seal(Buffer.from(newSecret()), secretOwner(id))
  await trx.insertInto('destination_secrets').values({ destination_id: id, sealed, created_at: at }).execute()
}

interface Made {
  readonly trx: Transaction<DB>
  readonly ownerId: number
  readonly at: Date
}

async function createProject({ trx, ownerId, at }: Made, project: Insertable<DB['projects']>) {
  const { id } = await trx.insertInto('projects').values(project).returning('id').executeTakeFirstOrThrow()
  const owner = { project_id: id, user_id: ownerId, level: 3, invited_at: at, accepted_at: at }
  await trx.insertInto('project_members').values(owner).execute()
  return id
}

async function addMachines({ trx, ownerId, at }: Made, projectId: number, machineIds: readonly number[]) {
  if (machineIds.length === 0) return
  const links = machineIds.map((machineId) => ({
    ...{ project_id: projectId, machine_id: machineId, linked_by: ownerId, linked_at: at },
  }))
  await trx.insertInto('project_machines').values(links).execute()
}

async function addMembers(
  { trx, ownerId, at }: Made,
  projectId: number,
  members: readonly { readonly userId: number | undefined; readonly isAccepted: boolean }[],
) {
  const rows = members.flatMap(({ userId, isAccepted }) =>
    userId === undefined
      ? []
      : [
          {
            ...{ project_id: projectId, user_id: userId, level: 2, invited_by: ownerId },
            ...{ invited_at: at, accepted_at: isAccepted ? at : null },
          },
        ],
  )
  if (rows.length > 0) await trx.insertInto('project_members').values(rows).execute()
}
