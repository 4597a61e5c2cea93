import { destinations as contract } from '@busbar/contract'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { failureOf } from '@busbar/testkit/platform.ts'
import { type Received, Receiver, type ReceiverAnswer, rowsOf } from '@busbar/testkit/receiver.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import {
  appendTold,
  createReportingProject,
  createWebhook,
  type ReportingProject,
} from '../../../test-support/destinations/reporting-project.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { changeLanes } from './destinations-store.ts'
import { moveLane } from './lanes-store.ts'

const ports = await Promise.all(Array.from({ length: 40 }, () => findFreePort()))
const clock = { aheadMs: 0 }
const site = useSite(
  { OUTGOING_ALLOWED_NETWORKS: ports.map((port) => `* 127.0.0.1:${port}`).join(', ') },
  { now: () => Date.now() + clock.aheadMs },
)

/** A receiver whose answers are those of the list, then 204. */
async function startReceiver(...answers: ReceiverAnswer[]): Promise<Receiver> {
  const receiver = await new Receiver().start(ports.pop())
  receiver.answer = () => answers.shift() ?? 204
  onTestFinished(() => receiver.stop())
  return receiver
}

const idsOf = (receiver: Receiver) =>
  receiver.requests.flatMap((request) => rowsOf(request).map(({ id }) => id))
/** The number of a row in its stream, out of its id. */
const numberOf = (id: string) => Number(id.split('-').at(-1))
const numbersOf = (receiver: Receiver) => idsOf(receiver).map(numberOf)
const until = async (check: () => boolean | Promise<boolean>, ms = 10_000) =>
  expect(await untilTrue(check, ms)).toBeDefined()

async function find(project: ReportingProject, targetId: number): Promise<contract.Destination> {
  const list = await site.as(project.owner).call(contract.listDestinations, { id: project.projectId })
  return list.find((each) => each.targetId === targetId) as contract.Destination
}

const listDeliveries = async (project: ReportingProject) =>
  (await site.as(project.owner).call(contract.listDeliveries, { id: project.projectId })).list

async function countUsed({ projectId }: ReportingProject): Promise<number> {
  const rows = await site.db
    .selectFrom('project_usage')
    .select('rows')
    .where('project_id', '=', projectId)
    .execute()
  return rows.reduce((sum, { rows }) => sum + rows, 0)
}

/** Waits for the five refusals of the first request of a project. */
async function refuseFiveTimes(project: ReportingProject, receiver: Receiver): Promise<void> {
  for (let tries = 1; tries <= 5; tries++) {
    await until(() => receiver.requests.length === tries)
    await until(async () => (await listDeliveries(project)).length === tries)
    clock.aheadMs += 3_700_000
  }
}

test('rows reach a webhook once, in their order, and are counted', async () => {
  const project = await createReportingProject(site, 3)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 2_500)
  await until(() => idsOf(receiver).length >= 2_500)
  expect(numbersOf(receiver)).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1))
  await until(async () => (await countUsed(project)) === 2_500)
  const found = await find(project, targetId)
  expect(found).toMatchObject({ state: 'on', lagRows: 0, lagMs: 0, fault: null, status: 204 })
  const deliveries = await listDeliveries(project)
  expect(deliveries.reduce((sum, { rows }) => sum + rows, 0)).toBe(2_500)
})

test('a request that has no room for the next row is followed by one at once', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver()
  await createWebhook(site, project, receiver, { rowsMax: 1 })
  await appendTold(site, project, 100)
  await until(() => receiver.requests.length >= 100)
  expect(numbersOf(receiver)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
  // Some three of them came closer than the 100 ms that two waits of a lane for more rows take; a busy machine delays others.
  const times = receiver.requests.map(({ at }) => at)
  expect(Math.min(...times.slice(2).map((at, place) => at - (times[place] ?? 0)))).toBeLessThan(80)
})

/** Has the writing of deliveries of a destination fail; `failed`: how often it did. */
async function breakDeliveries(targetId: number) {
  await sql`create sequence failed`.execute(site.db)
  await sql`create function fail() returns trigger as $$ begin
      perform nextval('failed'); raise exception 'no room';
    end $$ language plpgsql`.execute(site.db)
  await sql`create trigger fail before insert on deliveries for each row
    when (new.destination_id = ${sql.lit(targetId)}) execute function fail()`.execute(site.db)
  return {
    async failed(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select case when is_called then last_value else 0 end::int as count from failed`.execute(site.db)
      return rows[0]?.count ?? 0
    },
    mend: async () => {
      await sql`drop function fail() cascade`.execute(site.db)
      await sql`drop sequence failed`.execute(site.db)
    },
  }
}

test('a request that was accepted does not come again while the database cannot note it', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver)
  const deliveries = await breakDeliveries(targetId)
  try {
    await appendTold(site, project, 10)
    await until(async () => (await deliveries.failed()) >= 3)
    expect(await countUsed(project)).toBe(0)
  } finally {
    await deliveries.mend()
  }
  await until(async () => (await countUsed(project)) === 10)
  expect(receiver.requests).toHaveLength(1)
})

test('a request that was noted, though the word of it was lost, is neither sent nor counted again', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver)
  const deliveries = await breakDeliveries(targetId)
  try {
    await appendTold(site, project, 10)
    await until(async () => (await deliveries.failed()) >= 1)
    await site.db
      .updateTable('destination_lanes')
      .set({ acked_no: 10, batch_to_no: null })
      .where('destination_id', '=', targetId)
      .execute()
  } finally {
    await deliveries.mend()
  }
  await until(async () => (await find(project, targetId)).lagRows === 0)
  await appendTold(site, project, 5)
  await until(async () => (await countUsed(project)) > 0)
  expect(await countUsed(project)).toBe(5)
  expect(numbersOf(receiver)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
})

test('an answer that is lost sends the same request again, which is counted once', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver('drop', 500)
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 10)
  await until(() => receiver.requests.length === 1)
  await until(async () => (await find(project, targetId)).fault === 'reset')
  clock.aheadMs += 10_000
  await until(() => receiver.requests.length === 2)
  await until(async () => (await find(project, targetId)).status === 500)
  clock.aheadMs += 40_000
  await until(async () => (await countUsed(project)) === 10)
  const [first, second, third] = receiver.requests
  expect(receiver.requests).toHaveLength(3)
  for (const again of [second, third]) {
    expect(again?.body).toEqual(first?.body)
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  }
  expect(await find(project, targetId)).toMatchObject({ fault: null, failingSince: null, nextTryAt: null })
  const states = (await listDeliveries(project)).map(({ status, attempts }) => [status, attempts])
  expect(states).toEqual([
    ['ok', 3],
    ['failed', 2],
    ['failed', 1],
  ])
})

test('the fifth refusal of a request makes it a dead letter, the next one goes, and it can be sent again', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(422, 422, 422, 422, 422)
  await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await refuseFiveTimes(project, receiver)
  await appendTold(site, project, 2)
  await until(async () => (await countUsed(project)) === 2)
  expect(numbersOf(receiver).slice(-2)).toEqual([4, 5])
  const dead = (await listDeliveries(project)).find(({ status }) => status === 'dead')
  const { owner } = project
  const detail = await site.as(owner).call(contract.getDelivery, { id: dead?.id ?? 0 })
  expect(detail.request).toMatch(/^POST \/in HTTP\/1\.1\r\n[\s\S]*\r\n\r\n\[\{"id":/)
  expect(detail.response).toMatch(/^HTTP\/1\.1 422 Unprocessable Entity\r\n/)
  await site.as(owner).call(contract.resendDelivery, { id: dead?.id ?? 0 })
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id'])
  expect(await countUsed(project)).toBe(5)
  expect(await site.refusalOf(owner, contract.resendDelivery, { id: dead?.id ?? 0 })).toBe(
    'DELIVERY_NOT_DEAD',
  )
})

test('two presses of “send again” at once send a dead letter once', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(422, 422, 422, 422, 422)
  await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await refuseFiveTimes(project, receiver)
  const dead = (await listDeliveries(project)).find(({ status }) => status === 'dead')
  const letter = { id: dead?.id ?? 0 }
  const answered = Promise.withResolvers<void>()
  receiver.answer = () => answered.promise.then(() => 204)
  const first = site.as(project.owner).call(contract.resendDelivery, letter)
  await until(() => receiver.requests.length === 6)
  expect(await site.refusalOf(project.owner, contract.resendDelivery, letter)).toBe('DELIVERY_SENDING')
  // The answer takes longer than a process that dies would keep the letter.
  clock.aheadMs += 60_000
  const heldUntil = () =>
    site.db
      .selectFrom('dead_letters')
      .select('sending_until')
      .where('delivery_id', '=', letter.id)
      .executeTakeFirst()
  await until(async () => Number((await heldUntil())?.sending_until) > Date.now() + clock.aheadMs)
  expect(await site.refusalOf(project.owner, contract.resendDelivery, letter)).toBe('DELIVERY_SENDING')
  answered.resolve()
  await first
  expect(receiver.requests).toHaveLength(6)
  expect(await countUsed(project)).toBe(3)
})

test('a dead letter that was refused again, or whose sender died, is sent again', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(422, 422, 422, 422, 422, 500)
  await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await refuseFiveTimes(project, receiver)
  const dead = (await listDeliveries(project)).find(({ status }) => status === 'dead')
  const letter = { id: dead?.id ?? 0 }
  const resend = () => site.as(project.owner).call(contract.resendDelivery, letter)
  await resend()
  expect(await countUsed(project)).toBe(0)
  const sendingUntil = new Date(Date.now() + clock.aheadMs + 30_000)
  await site.db
    .updateTable('dead_letters')
    .set({ sending_until: sendingUntil })
    .where('delivery_id', '=', letter.id)
    .execute()
  expect(await site.refusalOf(project.owner, contract.resendDelivery, letter)).toBe('DELIVERY_SENDING')
  clock.aheadMs += 31_000
  await resend()
  expect(await countUsed(project)).toBe(3)
})

test('a dead letter that cannot be sent says why', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(422, 422, 422, 422, 422)
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await refuseFiveTimes(project, receiver)
  const dead = (await listDeliveries(project)).find(({ status }) => status === 'dead')
  const refusal = () => site.refusalOf(project.owner, contract.resendDelivery, { id: dead?.id ?? 0 })
  const settings = { id: targetId, name: 'MES', type: 'webhook', url: receiver.url } as const
  await site.as(project.owner).call(contract.updateDestination, { ...settings, state: 'off' })
  expect(await refusal()).toBe('DESTINATION_OFF')
  await site.as(project.owner).call(contract.updateDestination, { ...settings, state: 'on' })
  const ofProject = (isReporting: boolean) =>
    site.db
      .updateTable('projects')
      .set({ is_reporting: isReporting })
      .where('id', '=', project.projectId)
      .execute()
  await ofProject(false)
  expect(await refusal()).toBe('PROJECT_NOT_REPORTING')
  await ofProject(true)
  const month = new Date(Date.now() + clock.aheadMs).toISOString().slice(0, 8).concat('01')
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 99_998, told: 95 })
    .execute()
  expect(await refusal()).toBe('QUOTA_OVER')
  await site.db.deleteFrom('project_machines').where('project_id', '=', project.projectId).execute()
  await recordRightChange(site.db, { projectId: project.projectId, reason: 'project' })
  await until(async () => (await refusal()) === 'DELIVERY_EMPTY')
  expect(receiver.requests).toHaveLength(5)
})

test('410 switches off at once, and a person turns it on again without a row missing', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(410)
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await until(async () => (await find(project, targetId)).state === 'switchedOff')
  expect(await find(project, targetId)).toMatchObject({ switchedOff: 'gone', status: 410 })
  await appendTold(site, project, 2)
  const settings = { name: 'MES', type: 'webhook', url: receiver.url } as const
  await site.as(project.owner).call(contract.updateDestination, { id: targetId, ...settings, state: 'on' })
  await until(async () => (await countUsed(project)) === 5)
  expect(new Set(idsOf(receiver)).size).toBe(5)
})

test('a save that turns a destination on has it tried at once, and its failures begin anew', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver(
    (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
    500,
  )
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  await until(async () => (await find(project, targetId)).status === 503)
  const settings = { id: targetId, name: 'MES', type: 'webhook', url: receiver.url, state: 'on' } as const
  await site.as(project.owner).call(contract.updateDestination, settings)
  await until(() => receiver.requests.length === 2)
  await until(async () => (await listDeliveries(project)).length === 2)
  expect((await listDeliveries(project)).map(({ attempts }) => attempts)).toEqual([1, 1])
  await site.as(project.owner).call(contract.updateDestination, settings)
  await until(async () => (await countUsed(project)) === 3)
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(1)
})

test('one destination that hangs and one that refuses do not slow another', async () => {
  const project = await createReportingProject(site, 4)
  const stuck = await startReceiver()
  stuck.answer = () => 'hang'
  const refusing = await startReceiver()
  refusing.answer = () => 503
  const well = await startReceiver()
  for (const receiver of [stuck, refusing, well]) await createWebhook(site, project, receiver, { lanes: 2 })
  await appendTold(site, project, 4_000)
  await until(() => idsOf(well).length >= 4_000, 5_000)
  const seen = new Map<number, number>()
  for (const no of numbersOf(well)) {
    expect(no, 'order of a machine').toBeGreaterThan(seen.get(no % 4) ?? 0)
    seen.set(no % 4, no)
  }
})

test('rows wait while the quota is used up, and go on when there is more', async () => {
  const project = await createReportingProject(site)
  const month = `${new Date(Date.now() + clock.aheadMs).toISOString().slice(0, 7)}-01`
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 99_997 })
    .execute()
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 10)
  await until(() => idsOf(receiver).length === 3)
  await until(async () => (await find(project, targetId)).lagRows === 7)
  expect(await countUsed(project)).toBe(100_000)
  await site.db
    .updateTable('project_usage')
    .set({ rows: 0 })
    .where('project_id', '=', project.projectId)
    .execute()
  await until(() => idsOf(receiver).length === 10)
  expect(new Set(idsOf(receiver)).size).toBe(10)
})

test('rows of a machine that left the project do not go out, and those of others do', async () => {
  const project = await createReportingProject(site, 2)
  const receiver = await startReceiver(503)
  await createWebhook(site, project, receiver)
  await appendTold(site, project, 4)
  await until(() => receiver.requests.length === 1)
  await site.db
    .deleteFrom('project_machines')
    .where('id', '=', project.links[0]?.linkId ?? 0)
    .execute()
  await recordRightChange(site.db, { projectId: project.projectId, reason: 'project' })
  await until(() => site.platform.projects.links.stateOf(project.links[0]?.linkId ?? 0) === 'unknown')
  clock.aheadMs += 10_000
  await until(() => receiver.requests.length === 2)
  const [, again] = receiver.requests
  expect(again && rowsOf(again).map(({ id }) => numberOf(id))).toEqual([2, 4])
})

test('rows that the stream no longer has are told as a gap, and a replay is offered', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver)
  const settings = { name: 'MES', type: 'webhook', url: receiver.url } as const
  const { owner } = project
  await site.as(owner).call(contract.updateDestination, { id: targetId, ...settings, state: 'off' })
  await appendTold(site, project, 5)
  await appendTold(site, project, 2)
  const ofProject = sql`project_id = ${project.projectId}`
  await sql`delete from project_stream where ${ofProject} and to_no < 6`.execute(site.db)
  await sql`update project_streams set first_no = 6 where ${ofProject}`.execute(site.db)
  await site.as(owner).call(contract.updateDestination, { id: targetId, ...settings, state: 'on' })
  await until(() => idsOf(receiver).length === 3)
  const [gap] = rowsOf(receiver.requests[0] as Received)
  expect(gap).toMatchObject({ id: expect.stringMatching(/-1$/), gap: { from: expect.any(Number) } })
  await until(async () => (await find(project, targetId)).gaps === 1)
  expect(await countUsed(project)).toBe(2)
})

test('another number of lanes sends nothing twice and leaves nothing out', async () => {
  const project = await createReportingProject(site, 5)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver, { lanes: 3, rowsMax: 50 })
  const settings = { name: 'MES', type: 'webhook', url: receiver.url, rowsMax: 50 } as const
  await appendTold(site, project, 1_000)
  for (const lanes of [8, 1, 4]) {
    await until(() => receiver.requests.length > 2)
    await site.as(project.owner).call(contract.updateDestination, { id: targetId, ...settings, lanes })
    await appendTold(site, project, 500)
  }
  await until(() => new Set(idsOf(receiver)).size === 2_500)
  await until(async () => (await find(project, targetId)).lagRows === 0)
  expect(await countUsed(project)).toBe(2_500)
})

test('a request of a former lane moved the new lane past rows of other machines', async () => {
  const project = await createReportingProject(site)
  const { targetId } = await createWebhook(site, project, await startReceiver(), { lanes: 2 })
  const lanes = () => site.db.selectFrom('destination_lanes').where('destination_id', '=', targetId)
  await until(async () => (await lanes().where('turn', '>', 0).select('turn').execute()).length === 2)
  const before = await lanes().where('lane', '=', 0).select('turn').executeTakeFirstOrThrow()
  await site.db.transaction().execute((trx) => changeLanes(trx, targetId, 1))
  const held = { destinationId: targetId, lane: 0, turn: before.turn }
  expect(await moveLane(site.db, held, { ackedNo: 500 })).toBe(false)
})

test('a test shows the request and the answer byte by byte, and counts nothing', async () => {
  const project = await createReportingProject(site)
  const receiver = await startReceiver()
  receiver.answer = () => (response) => response.writeHead(401).end('who are you?')
  const { targetId } = await createWebhook(site, project, receiver, { format: 'flat' })
  const told = await site.as(project.owner).call(contract.testDestination, { id: targetId })
  expect(told).toMatchObject({
    ok: false,
    isExample: true,
    status: 401,
    fault: 'status',
    address: '127.0.0.1',
  })
  expect(told.request).toContain(`\r\nhost: 127.0.0.1:${receiver.port}\r\n`)
  expect(told.response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[\s\S]*who are you\?$/)
  expect(await countUsed(project)).toBe(0)
})

test('a replay sends the rows of history since the machine came, with the interval of the project, and counts them', async () => {
  const project = await createReportingProject(site)
  const { owner, projectId } = project
  const [link] = project.links
  const from = Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000
  const told = [0, 1_000, 2_000, 61_000].map((ms) => ({ ts: from + ms, values: { temp: ms / 1_000 } }))
  const sent = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${link?.code}:${link?.secret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(told),
  })
  expect(sent.status).toBe(200)
  const receiver = await startReceiver()
  const { targetId } = await createWebhook(site, project, receiver, { rows: false })
  await site.db.updateTable('projects').set({ every_s: 60 }).where('id', '=', projectId).execute()
  const since = { linked_at: new Date(from + 1_000) }
  await site.db
    .updateTable('project_machines')
    .set(since)
    .where('id', '=', link?.linkId ?? 0)
    .execute()
  await recordRightChange(site.db, { projectId, reason: 'project' })
  const plans = () => site.platform.projects.links.listPlans()
  await until(() =>
    plans().some(({ everyS, links }) => everyS === 60 && links[0]?.linkedAt.getTime() === from + 1_000),
  )
  const span = { id: projectId, targetId, from, to: from + 120_000 }
  await site.as(owner).call(contract.startReplay, span)
  expect(await site.refusalOf(owner, contract.startReplay, span)).toBe('REPLAY_RUNNING')
  await until(() => receiver.requests.length === 1)
  expect(rowsOf(receiver.requests[0] as Received)).toMatchObject([
    {
      id: `${projectId}-h${link?.linkId}-${from + 2_000}`,
      late: true,
      values: { temp: 2 },
      stats: { temp: { mean: 1.5 } },
    },
    { id: `${projectId}-h${link?.linkId}-${from + 61_000}`, values: { temp: 61 } },
  ])
  await until(async () => (await countUsed(project)) === 2)
  const tooLong = { ...span, from: from - 32 * 86_400_000 }
  expect(await site.refusalOf(owner, contract.startReplay, tooLong)).toBe('REPLAY_SPAN')
})

test('a replay that fails on its way goes on behind the accepted rows, and counts none of them again', async () => {
  const project = await createReportingProject(site)
  const { owner, projectId } = project
  const [link] = project.links
  const from = Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000
  const told = [1, 2, 3, 4, 5].map((s) => ({ ts: from + s * 1_000, values: { temp: s } }))
  const { status } = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${link?.code}:${link?.secret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(told),
  })
  expect(status).toBe(200)
  const receiver = await startReceiver(204, 500)
  const { targetId } = await createWebhook(site, project, receiver, { rows: false, rowsMax: 2 })
  await site.db
    .updateTable('project_machines')
    .set({ linked_at: new Date(from) })
    .where('id', '=', link?.linkId ?? 0)
    .execute()
  await recordRightChange(site.db, { projectId, reason: 'project' })
  const plans = () => site.platform.projects.links.listPlans()
  await until(() => plans().some((plan) => plan.links.some(({ linkedAt }) => linkedAt.getTime() === from)))
  await site.as(owner).call(contract.startReplay, { id: projectId, targetId, from, to: from + 60_000 })
  await until(() => receiver.requests.length === 2)
  // The rows that are sent again have another name of the machine, so theirs is another request.
  await site.db
    .updateTable('machine_list_entries')
    .set({ name: 'Renamed' })
    .where('machine_id', '=', link?.machineId ?? 0)
    .execute()
  await recordRightChange(site.db, { projectId, reason: 'project' })
  await until(() => plans().some((plan) => plan.links.some(({ machineName }) => machineName === 'Renamed')))
  clock.aheadMs += 10_000
  await until(async () => (await countUsed(project)) === 5, 30_000)
  const namesOf = (request: Received) =>
    rowsOf(request).map(({ time, machineName }) => [(Number(time) - from) / 1_000, machineName === 'Renamed'])
  expect(receiver.requests.map(namesOf)).toEqual([
    [
      [1, false],
      [2, false],
    ],
    [
      [3, false],
      [4, false],
    ],
    [
      [3, true],
      [4, true],
    ],
    [[5, true]],
  ])
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(4)
})

test('addresses that lead into the platform’s network are refused, and names of it are unknown', async () => {
  const project = await createReportingProject(site)
  const failure = (url: string) => {
    const request = { id: project.projectId, name: 'MES', type: 'webhook', url } as const
    return failureOf(site.as(project.owner), contract.createDestination, request)
  }
  const refusal = async (url: string) => {
    const { code, message } = await failure(url)
    return message.includes('127.0.0.1') ? message : code
  }
  // People read beside the field what the address became.
  expect((await failure('https://2130706433/')).message).toContain('127.0.0.1')
  expect(await refusal('https://[::ffff:10.0.0.1]/')).toBe('DESTINATION_ADDRESS')
  expect(await refusal('https://me@example.com/')).toBe('DESTINATION_ADDRESS')
  expect(await refusal('http://93.184.215.14/')).toBe('DESTINATION_PLAIN')
  expect(await refusal('https://localhost/')).toBe('DESTINATION_ADDRESS')
})
