import { applications, timing } from '@busbar/contract'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { createMessages, type NewMessage } from '../modules/messages/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'
import { customerAccount, demoTexts, emailOf } from './demo-texts.ts'

/*
 * The first messages of the demo: a person applies for a visit, another became Bkey, an enterprise asks to maintain.
 * Their authors are the people of demo-enterprise.ts.
 */

const visit = { account: 'wang.lei', trade: 'bakery-oven', terminal: 'ThinkPad X1' }
const bind = { account: 'sun.hao', trade: 'packaging-line' }
const given = 'water-treatment'
const asked = 'injection-press'

const dayMs = 86_400_000
const hourMs = 3_600_000

const { auditStates } = applications

interface Asked {
  readonly kind: applications.ApplicationKind
  readonly machineId: number
  readonly userId: number
  readonly note: string
  readonly terminal?: string
  readonly at: Date
  readonly passedAt?: Date
}

/**
 * Writes the demo's messages; skipped if its people or machines are missing. An application without an answer within a
 * day is made again, so that a later start shows it too.
 */
export async function createDemoMessages(trx: Transaction<DB>, plant: DemoPlant, now: number): Promise<void> {
  const { lang, ownerId, machineIds } = plant
  const [oven, packer] = [machineIds.get(visit.trade), machineIds.get(bind.trade)]
  const [visitor, bkey] = [
    await findPerson(trx, emailOf(visit.account, lang)),
    await findPerson(trx, emailOf(bind.account, lang)),
  ]
  if (!oven || !packer || !visitor || !bkey) return
  if (!(await hasPast(trx, ownerId))) await createPast(trx, plant, { bkey, packer })
  if (!(await hasAsked(trx, visitor, oven))) {
    await listMachineOf(trx, visitor, oven)
    const application = {
      kind: 'visit',
      machineId: oven,
      userId: visitor,
      note: demoTexts[lang].notes.visit,
      terminal: visit.terminal,
      at: new Date(now),
    } as const
    await createApplication(trx, ownerId, application)
  }
}

/** Messages from before the demo was made. */
async function createPast(
  trx: Transaction<DB>,
  { lang, ownerId, machineIds, madeAt }: DemoPlant,
  { bkey, packer }: { bkey: number; packer: number },
): Promise<void> {
  const texts = demoTexts[lang]
  await listMachineOf(trx, bkey, packer)
  await createApplication(trx, ownerId, {
    kind: 'bind',
    machineId: packer,
    userId: bkey,
    note: texts.notes.bind,
    at: new Date(madeAt - 2 * dayMs),
    passedAt: new Date(madeAt - 2 * dayMs + hourMs),
  })
  await createMessage(trx, {
    userId: ownerId,
    kind: 'rightGiven',
    machineId: machineIds.get(given),
    at: new Date(madeAt - dayMs),
    params: { person: texts.people[customerAccount], right: 'bkey' },
    isRead: true,
  })
  await createMessage(trx, {
    userId: ownerId,
    kind: 'windowAsked',
    machineId: machineIds.get(asked),
    at: new Date(madeAt - hourMs),
    params: {
      enterprise: texts.service,
      from: madeAt + dayMs,
      until: madeAt + 2 * dayMs,
      reason: texts.reasons.screw,
    },
  })
}

async function hasPast(trx: Transaction<DB>, userId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('messages')
    .select('id')
    .where('user_id', '=', userId)
    .where('type', '=', 'windowAsked')
    .executeTakeFirst()
  return row !== undefined
}

/** An application and its messages to the demo account, which is the machine's Akey, and to the applicant. */
async function createApplication(trx: Transaction<DB>, akeyId: number, asked: Asked): Promise<void> {
  const { kind, machineId, userId, at, passedAt } = asked
  const state = passedAt ? auditStates.passed : auditStates.waiting
  const { id: applicationId } = await trx
    .insertInto('applications')
    .values({
      kind,
      machine_id: machineId,
      user_id: userId,
      message: asked.note,
      terminal_name: asked.terminal ?? '',
      state,
      created_at: at,
      expires_at: new Date(at.getTime() + timing.applicationMs),
      ended_at: passedAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const step = { application_id: applicationId, user_id: userId }
  await trx
    .insertInto('application_steps')
    .values({ ...step, step: 'applied', state: auditStates.waiting, at })
    .execute()
  const message = { machineId, applicationId, at }
  await createMessage(trx, {
    ...message,
    userId: akeyId,
    kind: `${kind}Apply`,
    isRead: passedAt !== undefined,
  })
  await createMessage(trx, { ...message, userId, kind: `${kind}Sent` })
  if (!passedAt) return
  await trx
    .insertInto('application_steps')
    .values({ ...step, step: 'passed', key: 'A', user_id: akeyId, state, at: passedAt })
    .execute()
  await trx
    .insertInto('machine_grants')
    .values({ user_id: userId, machine_id: machineId, role: 'bkey' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await recordRightChange(trx, { userId, machineId, reason: 'bkey' })
  await createMessage(trx, { ...message, userId, kind: `${kind}Success`, at: passedAt })
}

async function createMessage(
  trx: Transaction<DB>,
  message: Omit<NewMessage, 'machineId'> & {
    readonly machineId: number | undefined
    readonly at: Date
    readonly isRead?: boolean
  },
): Promise<void> {
  const { machineId, at } = message
  if (machineId === undefined) return
  await createMessages(trx, at, [{ ...message, machineId }])
  if (!message.isRead) return
  await trx
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', message.userId)
    .where('created_at', '=', at)
    .where('type', '=', message.kind)
    .execute()
}

async function findPerson(trx: Transaction<DB>, email: string): Promise<number | undefined> {
  const row = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id
}

/** Whether an application waits, or was answered. */
async function hasAsked(trx: Transaction<DB>, userId: number, machineId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('applications')
    .select('id')
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .where('state', '<', auditStates.over)
    .executeTakeFirst()
  return row !== undefined
}

/** Puts a machine into an applicant's list, under its shared name. */
async function listMachineOf(trx: Transaction<DB>, userId: number, machineId: number): Promise<void> {
  await sql`
    insert into machine_list_entries (user_id, machine_id, name) select ${userId}, id, name from machines
    where id = ${machineId} on conflict do nothing`.execute(trx)
}
