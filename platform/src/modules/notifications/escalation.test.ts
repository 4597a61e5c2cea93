import { alarms, alarmContacts as contract, notifications } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { createAccess } from '../access/index.ts'
import { type AlarmEvent, writeAlarms } from '../alarms/index.ts'
import { createMailbox } from '../messages/mailbox.ts'
import { createOutgoing, createUnsubscribeUrl, type Outgoing, openUnsubscribe } from '../outgoing/index.ts'
import { escalateDue, escalationFollower, type RunsDeps } from './escalation-runs.ts'
import { makeLinks } from './links-make.ts'
import type { NotifyDeps } from './notify-alarms.ts'
import { notifySteps } from './notify-steps.ts'

const minuteMs = 60_000
const brandOf = () =>
  ({
    id: 1,
    platformName: { cn: '云', en: 'Cloud' },
    accent: '',
    emailSender: '',
    smsSignature: '',
    hosts: [],
  }) as never
const site = useSite()
let outgoing: Outgoing
beforeAll(async () => {
  outgoing = createOutgoing({
    db: site.db,
    jobs: { sendAll: async () => undefined },
    facts: site.platform.facts,
    config: {} as never,
    logger: silentLogger,
    now: Date.now,
    brandOf,
    providers: {},
  })
})

const step = (who: contract.EscalationGroup, more: object = {}) => ({
  afterMinutes: 10,
  who,
  how: ['email' as const],
  ...more,
})

async function createOwned() {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  return { owner, machineId }
}

const follower = escalationFollower({ now: Date.now })

/** Writes events as the ingest does, and lets the runs follow; answers the alarms. */
async function write(machineId: number, more: Partial<AlarmEvent> = {}): Promise<number[]> {
  const at = Date.now()
  const event: AlarmEvent = {
    machineId,
    key: 'E1',
    level: 'major',
    text: { en: 'Too hot', cn: '过热' },
    state: 'raised',
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    standing: undefined,
    ...more,
  }
  const changes = await withTransaction(site.db, (trx) => {
    const query = async (text: string, values: unknown[]) =>
      trx.executeQuery({ sql: text, parameters: values } as never)
    return writeAlarms({ query } as never, [event], site.platform.facts)
  })
  await follow(machineId)
  return [...new Set(changes.map(({ alarmId }) => alarmId))]
}

/** Delivers every fact of a machine to the follower again, as after a crash. */
async function follow(machineId: number): Promise<void> {
  const rows = await site.db
    .selectFrom('facts')
    .selectAll()
    .where('machine_id', '=', machineId)
    .where('kind', 'in', follower.kinds)
    .orderBy('id')
    .execute()
  const facts = rows.map(({ id, kind, payload }) => ({ id, kind, machineId, at: 0, ...(payload as object) }))
  await withTransaction(site.db, (trx) => follower.follow(trx, facts as never))
}

async function raise(machineId: number, more: Partial<AlarmEvent> = {}): Promise<number> {
  const [alarmId] = await write(machineId, more)
  if (alarmId === undefined) throw new Error('No alarm was raised.')
  return alarmId
}

const box = createSecretBox()
const originOf = () => 'https://busbar.example'
const tell: RunsDeps['tell'] = (trx, messages, at) => {
  const deps = {
    access: createAccess(site.db),
    mailbox: createMailbox(site.db),
    tags: site.platform.telemetry,
    now: () => at,
    outgoing,
    brandOf,
    originOf,
    logoOf: () => undefined,
    makeLinks: (...[within, mails, now]: Parameters<NotifyDeps['makeLinks']>) =>
      makeLinks(originOf, within, mails, now),
    unsubscribeUrlOf: createUnsubscribeUrl(
      { brands: { hasHost: () => false }, publicUrl: 'https://busbar.example' },
      box,
    ),
  }
  return notifySteps(deps, trx, messages, at)
}

const escalate = (afterMinutes: number) =>
  escalateDue(
    { db: site.db, access: createAccess(site.db), tell },
    { now: Date.now() + afterMinutes * minuteMs },
  )

const runOf = (alarmId: number) =>
  site.db
    .selectFrom('alarm_escalation_runs')
    .select(['step', 'end_reason'])
    .where('alarm_id', '=', alarmId)
    .executeTakeFirst()

const toldOf = (alarmId: number) =>
  site.db
    .selectFrom('notifications')
    .select(['user_id', 'contact_id', 'channel', 'step'])
    .where('alarm_id', '=', alarmId)
    .where('step', '>', 0)
    .orderBy('id')
    .execute()

const put = (user: TestUser, request: Parameters<typeof failureOf<typeof contract.putEscalation>>[2]) =>
  site.as(user).call(contract.putEscalation, request)

describe('a run', () => {
  test('begins for an alarm that is major and unconfirmed, and notifies at each step’s time, once', async () => {
    const { owner, machineId } = await createOwned()
    const other = await site.createHolder(machineId, { role: 'bkey' })
    const steps = [step('userIds', { userIds: [other.userId] }), step('keys', { how: ['email', 'sms'] })]
    await put(owner, { machineId, steps })
    const minor = await raise(machineId, { key: 'M', level: 'minor' })
    const alarmId = await raise(machineId)
    expect(await runOf(minor)).toBeUndefined()
    await escalate(9)
    expect(await toldOf(alarmId)).toEqual([])
    await escalate(11)
    await escalate(11)
    expect((await toldOf(alarmId)).map(({ user_id, step }) => [user_id, step])).toEqual([[other.userId, 1]])
    await escalate(22)
    const second = (await toldOf(alarmId)).filter((row) => row.step === 2)
    expect(second.map(({ user_id, channel }) => `${user_id} ${channel}`).toSorted()).toEqual(
      [owner, other].flatMap(({ userId }) => [`${userId} email`, `${userId} sms`]).toSorted(),
    )
    expect((await runOf(alarmId))?.end_reason).toBe('done')
  })

  test('without steps of its machine follows those of the enterprise, and notifies members who handle alarms', async () => {
    const { eid } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const [writer, watcher] = [
      await site.createMember(eid, 'member', ['sms', 'alarm']),
      await site.createMember(eid, 'member', ['alarm']),
    ]
    const deaf = await site.createMember(eid, 'member', ['sms'])
    await put(writer, { eid, steps: [step('members')] })
    const alarmId = await raise(machineId)
    await escalate(11)
    const told = (await toldOf(alarmId)).map(({ user_id }) => user_id)
    expect(told).toEqual(expect.arrayContaining([writer.userId, watcher.userId]))
    expect(told).not.toContain(deaf.userId)
    expect((await site.as(watcher).call(contract.getEscalation, { machineId })).isOwn).toBe(false)
  })

  test('names the maintenance teams of windows with the scope alarm', async () => {
    const { owner, machineId } = await createOwned()
    const [alarmed, viewing] = [await site.createEnterprise(), await site.createEnterprise()]
    await site.openWindow({ eid: alarmed.eid, machineId, scopes: ['view', 'alarm'], stop: null })
    await site.openWindow({ eid: viewing.eid, machineId, scopes: ['view'] })
    await put(owner, { machineId, steps: [step('maintainers')] })
    const alarmId = await raise(machineId)
    await escalate(11)
    expect((await toldOf(alarmId)).map(({ user_id }) => user_id)).toEqual([alarmed.owner.userId])
  })

  const ends: readonly [string, (owner: TestUser, machineId: number, alarmId: number) => Promise<unknown>][] =
    [
      ['confirmed', (owner, _, alarmId) => site.as(owner).call(alarms.confirmAlarms, { ids: [alarmId] })],
      ['cleared', (_, machineId) => write(machineId, { state: 'cleared' })],
      [
        'shelved',
        (owner, machineId) =>
          site
            .as(owner)
            .call(alarms.shelveAlarms, { machineId, until: Date.now() + 60 * minuteMs, reason: 'worn' }),
      ],
      [
        'outOfService',
        (owner, machineId) =>
          site.as(owner).call(alarms.takeAlarmsOutOfService, { machineId, reason: 'worn' }),
      ],
      [
        'owner',
        (_, machineId) =>
          withTransaction(site.db, (trx) =>
            site.platform.facts.record(trx, {
              kind: 'machine.ownerChanged',
              machineId,
              at: Date.now(),
              isFirst: false,
            } as never),
          ),
      ],
      ['settings', (owner, machineId) => put(owner, { machineId, steps: [] })],
    ]
  test.each(ends)('ends when its alarm is %s, and notifies nobody after that', async (reason, end) => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys'), step('keys')] })
    const alarmId = await raise(machineId)
    await end(owner, machineId, alarmId)
    await escalate(11)
    await escalate(22)
    expect(await toldOf(alarmId)).toEqual([])
    expect((await runOf(alarmId))?.end_reason).toBe(reason)
  })

  test('is shown with its steps: told, next, later, and dropped if it ended before', async () => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys'), step('keys', { how: ['sms'] }), step('keys')] })
    const alarmId = await raise(machineId)
    const shown = async () => {
      const told = await site.as(owner).call(notifications.listTold, { alarmId })
      return { told, steps: told.escalation?.steps.map(({ state }) => state) }
    }
    const count = async () => (await site.as(owner).call(notifications.countTold, { alarmIds: [alarmId] }))[0]
    const first = await shown()
    expect(first.steps).toEqual(['next', 'later', 'later'])
    const [next, later] = first.told.escalation?.steps ?? []
    expect((later?.dueAt ?? 0) - (next?.dueAt ?? 0)).toBe(10 * minuteMs)
    await escalate(11)
    const second = await shown()
    expect(second.steps).toEqual(['told', 'next', 'later'])
    expect(second.told.list.filter(({ step }) => step === 1)).toMatchObject([
      { channel: 'email', who: `u${owner.userId}` },
    ])
    await expect
      .poll(count, { timeout: 10_000 })
      .toMatchObject({ told: 1, waiting: 0, failed: 0, nextStep: 2 })
    await site.db
      .updateTable('notifications')
      .set({ state: 'failed' })
      .where('alarm_id', '=', alarmId)
      .execute()
    expect(await count()).toMatchObject({ told: 0, waiting: 0, failed: 1 })
    await site.as(owner).call(alarms.confirmAlarms, { ids: [alarmId] })
    await follow(machineId)
    const ended = await shown()
    expect(ended.steps).toEqual(['told', 'dropped', 'dropped'])
    expect(ended.told.escalation?.end).toBe('confirmed')
    expect((await count())?.nextStep).toBeNull()
    const calm = await raise(machineId, { key: 'calm', level: 'minor' })
    expect((await site.as(owner).call(notifications.listTold, { alarmId: calm })).escalation).toBeNull()
  })

  test.each(ends.slice(0, 4))('is shown as ended by %s before its next step is due', async (reason, end) => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys')] })
    const alarmId = await raise(machineId)
    await end(owner, machineId, alarmId)
    await follow(machineId)
    expect((await runOf(alarmId))?.end_reason).toBe(reason)
  })

  test('goes with its alarm’s machine', async () => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys')] })
    const alarmId = await raise(machineId)
    await site.db.deleteFrom('machines').where('id', '=', machineId).execute()
    await escalate(11)
    expect(await runOf(alarmId)).toBeUndefined()
  })

  test('does not notify a person who lost the right, or a contact who left, at the second step', async () => {
    const { owner, machineId } = await createOwned()
    const bkey = await site.createUser()
    const grantId = await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    const { id: contactId } = await site.as(owner).call(contract.createContact, {
      name: 'Gate',
      email: 'gate@example.test',
      machineIds: [machineId],
    })
    const set = { confirmed_at: new Date() }
    await site.db.updateTable('alarm_contacts').set(set).where('id', '=', contactId).execute()
    const each = [
      step('userIds', { userIds: [bkey.userId] }),
      step('contactIds', { contactIds: [contactId] }),
    ]
    await put(owner, { machineId, steps: [...each, ...each] })
    const alarmId = await raise(machineId)
    await escalate(11)
    await escalate(22)
    const first = [
      [bkey.userId, null, 1],
      [null, contactId, 2],
    ]
    const told = async () =>
      (await toldOf(alarmId)).map(({ user_id, contact_id, step }) => [user_id, contact_id, step])
    expect(await told()).toEqual(first)
    await site.db.deleteFrom('machine_grants').where('id', '=', grantId).execute()
    await site.db
      .updateTable('alarm_contacts')
      .set({ left_at: new Date() })
      .where('id', '=', contactId)
      .execute()
    await escalate(33)
    await escalate(44)
    expect(await told()).toEqual(first)
  })

  test('that fails or is killed between its claim and the commit is taken again, and repeats nothing', async () => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys'), step('keys')] })
    const alarmId = await raise(machineId)
    const now = Date.now() + 11 * minuteMs
    const killed = escalateDue(
      {
        db: site.db,
        access: createAccess(site.db),
        async tell(...told) {
          await tell(...told)
          throw new Error('killed')
        },
      },
      { now },
    )
    await expect(killed).rejects.toThrow('killed')
    expect(await toldOf(alarmId)).toEqual([])
    await Promise.all([escalate(11), escalate(11), escalate(11)])
    // The step of a run that is put back as by a restored backup has its key.
    await site.db
      .updateTable('alarm_escalation_runs')
      .set({ step: 1, due_at: new Date() })
      .where('alarm_id', '=', alarmId)
      .execute()
    await escalate(11)
    await follow(machineId)
    expect(await toldOf(alarmId)).toHaveLength(1)
  })

  test('of an alarm of kept values is told once over a restart, and never once they have cleared it', async () => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys')] })
    const { id: ruleId } = await site.db
      .insertInto('alarm_rules')
      .values({
        ...{ machine_id: machineId, level: 'major', on_delay: 0, off_delay: 0 },
        condition: JSON.stringify({ kind: 'noData', seconds: 60 }),
        text: JSON.stringify({ cn: '热', en: 'Hot' }),
        ...{ created_at: new Date(), updated_at: new Date() },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const kept = (key: string, more: Partial<AlarmEvent> = {}) =>
      raise(machineId, { ruleId, key, at: Date.now() - 60 * minuteMs, ...more })
    const stays = await kept('stays')
    const goes = await kept('goes')
    const dies = async (...told: Parameters<RunsDeps['tell']>) => {
      await tell(...told)
      throw new Error('killed')
    }
    const run = { now: Date.now() + 11 * minuteMs }
    const former = escalateDue({ db: site.db, access: createAccess(site.db), tell: dies }, run)
    await expect(former).rejects.toThrow('killed')
    // The next process evaluates the rest of the values while another one takes the step.
    await kept('goes', { state: 'cleared', at: Date.now() - 30 * minuteMs })
    await Promise.all([escalate(11), escalate(11), follow(machineId)])
    await follow(machineId)
    await escalate(11)
    expect([await toldOf(stays), await toldOf(goes)].map(({ length }) => length)).toEqual([1, 0])
    expect((await runOf(goes))?.end_reason).toBe('cleared')
  })
})

describe('a mail of a step', () => {
  test('has a link to confirm, and for a contact one to leave', async () => {
    const { owner, machineId } = await createOwned()
    const email = 'step@example.test'
    const { id: contactId } = await site
      .as(owner)
      .call(contract.createContact, { name: 'Gate', email, machineIds: [machineId] })
    const set = { confirmed_at: new Date() }
    await site.db.updateTable('alarm_contacts').set(set).where('id', '=', contactId).execute()
    await put(owner, { machineId, steps: [step('contactIds', { contactIds: [contactId] })] })
    await raise(machineId)
    await escalate(11)
    // The platform tells the contact of the alarm itself, before or after the step.
    const { text } = await site.db
      .selectFrom('outgoing')
      .innerJoin('notifications', 'notifications.id', 'outgoing.notification_id')
      .select('outgoing.text')
      .where('outgoing.recipient', '=', email)
      .where('notifications.step', '=', 1)
      .executeTakeFirstOrThrow()
    const [, confirm = ''] = /busbar\.example\/alarm\/link\/([\w-]+)/.exec(text) ?? []
    const shown = await site.as(undefined).call(contract.getAlarmLink, { token: confirm })
    expect(shown).toMatchObject({ text: 'Too hot', level: 'major', mayConfirm: false })
    const [, leave = ''] = /busbar\.example\/unsubscribe\/([\w-]+)/.exec(text) ?? []
    expect(openUnsubscribe(box, leave)).toMatchObject({ kind: 'contactId', id: contactId })
  })

  test('is one digest where many alarms of the machine escalate at once', async () => {
    const { owner, machineId } = await createOwned()
    await put(owner, { machineId, steps: [step('keys')] })
    const ids = []
    for (const key of ['A', 'B', 'C', 'D']) ids.push(await raise(machineId, { key }))
    await escalate(25)
    const rows = await site.db
      .selectFrom('notifications')
      .select('state')
      .where('alarm_id', 'in', ids)
      .where('step', '=', 1)
      .execute()
    expect(rows.filter(({ state }) => state === 'waiting').length).toBeGreaterThanOrEqual(3)
  })
})

describe('the steps', () => {
  test('can be set by keys only, and name only people and contacts of the machine', async () => {
    const { owner, machineId } = await createOwned()
    const [visitor, stranger] = [await site.createUser(), await site.createUser()]
    await site.grantMachine(visitor.userId, machineId, { role: 'visitor' })
    const codeOf = async (user: TestUser, steps: contract.EscalationStep[] | object[]) =>
      await site.refusalOf(user, contract.putEscalation, { machineId, steps: steps as never })
    expect(await codeOf(visitor, [step('keys')])).toBe('403')
    expect(await codeOf(owner, [step('userIds', { userIds: [stranger.userId] })])).toBe('ESCALATION_PEOPLE')
    expect(await codeOf(owner, [step('contactIds', { contactIds: [999_999] })])).toBe('ESCALATION_PEOPLE')
    expect(await codeOf(owner, [step('contactIds', { contactIds: [1], how: ['sms'] })])).toBe('400')
    expect(await codeOf(owner, [step('keys', { afterMinutes: 0 })])).toBe('400')
    expect(
      await codeOf(
        owner,
        Array.from({ length: 6 }, () => step('keys')),
      ),
    ).toBe('400')
    const both = await failureOf(site.as(owner), contract.getEscalation, { machineId, eid: 1 })
    expect(both.code).toBe('ESCALATION_OF')
    await put(owner, { machineId, steps: [step('keys')] })
    expect(await site.as(visitor).call(contract.getEscalation, { machineId })).toMatchObject({
      isOwn: true,
      steps: [{ who: 'keys', afterMinutes: 10 }],
    })
  })
})
