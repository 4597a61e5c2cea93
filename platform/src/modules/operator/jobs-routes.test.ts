import { operator } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createOutgoing } from '../outgoing/index.ts'

const patience = { timeout: 10_000 }
/** A mail server that is not there: each try fails at once, and the next is far away. */
const env = {
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://127.0.0.1:1',
  EMAIL_SENDER: 'no-reply@example.test',
}

let boss: TestUser

const site = useSite(env)
beforeAll(async () => {
  boss = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

/** Queues an e-mail that cannot be delivered; its job after the first try. */
async function queueEmail(): Promise<operator.JobRow> {
  const brandOf = () => ({ platformName: { cn: '母线', en: 'Busbar' }, emailSender: '', smsSignature: '' })
  const { jobs } = site.platform
  const outgoing = createOutgoing({
    db: site.db,
    jobs,
    facts: site.platform.facts,
    config: readConfig(env),
    logger: silentLogger,
    now: Date.now,
    brandOf,
  })
  await outgoing.queue(site.db, {
    kind: 'email',
    mail: 'code',
    to: 'li@example.test',
    subject: 'Code',
    text: 'Your code is ABCD',
    html: '',
    brandId: 1,
    lang: 'en',
  })
  await outgoing.close()
  return vi.waitFor(async () => {
    const { list } = await site.as(boss).call(operator.listJobs, { only: 'waiting' })
    const job = list.find(({ error }) => error !== '')
    if (!job) throw new Error('no try has failed yet')
    return job
  }, patience)
}

test('the back office shows a job by ids and errors, and never the text of a message', async () => {
  const job = await queueEmail()
  expect(job).toMatchObject({
    queue: 'email',
    state: 'waiting',
    tries: 1,
    ids: { messageId: expect.any(Number) },
  })
  expect(job.error).toContain('ECONNREFUSED')
  expect(JSON.stringify(await site.as(boss).call(operator.listJobs, {}))).not.toContain('ABCD')
  const found = await site.as(boss).call(operator.listJobs, { search: job.jobId.slice(0, 8) })
  expect(found.list).toHaveLength(1)
  expect((await site.as(boss).call(operator.listJobs, { search: 'no such queue' })).total).toBe(0)
  const { queues, clock } = await site.as(boss).call(operator.getJobsOverview, {})
  expect(queues).toContainEqual({ queue: 'email', waiting: 1, running: 0, failed: 0 })
  expect(clock.map(({ name }) => name)).toContain('access.timedRights')
})

test('a cancelled job is not tried again, and its message shows the cancelling', async () => {
  const job = await queueEmail()
  await site.as(boss).call(operator.cancelJob, job)
  const { list } = await site.as(boss).call(operator.listJobs, { search: job.jobId })
  expect(list).toMatchObject([{ state: 'cancelled' }])
  const id = job.ids.messageId ?? 0
  const row = await site.db.selectFrom('outgoing').selectAll().where('id', '=', id).executeTakeFirst()
  expect(row).toMatchObject({ state: 'failed', error: 'cancelled' })
  expect(await site.refusalOf(boss, operator.cancelJob, job)).toBe('404')
})

test('a failed job is tried once more on an operator’s request, and the audit log has the operator', async () => {
  const job = await queueEmail()
  expect(await site.refusalOf(boss, operator.retryJob, job)).toBe('404')
  await sql`update jobs.job set state = 'failed', completed_on = now(), retry_limit = retry_count,
    start_after = now() where id = ${job.jobId}`.execute(site.db)
  await site.as(boss).call(operator.retryJob, job)
  await vi.waitFor(async () => {
    const { list } = await site.as(boss).call(operator.listJobs, { search: job.jobId })
    expect(list).toMatchObject([{ tries: 2 }])
  }, patience)
  const { list } = await site.as(boss).call(operator.listAudit, { search: 'job.retry' })
  expect(list).toMatchObject([{ actorUserId: boss.userId, detail: { jobId: job.jobId } }])
})
