import { useDatabase } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { fullDisk } from '../../../test-support/full-disk.ts'
import { createLocalBus } from '../bus/bus.ts'
import { withTransaction } from '../database/database.ts'
import { silentLogger } from '../logger.ts'
import { openBoss } from './boss.ts'
import { type ClockJob, type Job, type JobProgress, JobRefused, Jobs, queueJob, queueOf } from './index.ts'
import { ProgressBook } from './progress.ts'
import { QueueWorker } from './queue-worker.ts'

const papers = queueOf<{ paper: number }>('test.papers')
const patience = { timeout: 10_000 }

const closers: (() => Promise<unknown>)[] = []

const database = useDatabase({ poolMax: 8 })
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await sql`truncate jobs.job_common, jobs.clock_job, jobs.progress cascade`.execute(database.db)
  // Housekeeping checks a queue once a day.
  await sql`update jobs.queue set maintain_on = null`.execute(database.db)
})

/** A process with these jobs. */
async function start(jobs: readonly Job[], tell?: (progress: JobProgress) => Promise<void>): Promise<Jobs> {
  const { db } = database
  const made = new Jobs({
    db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: Date.now,
    ...(tell ? { tell } : {}),
  })
  made.declare(jobs)
  await made.start()
  closers.push(() => made.stop())
  return made
}

interface Row {
  readonly id: string
  readonly state: string
  readonly retry_count: number
  readonly wait_s: number
  readonly error: string | null
}

async function readJob(id: string): Promise<Row> {
  const { rows } = await sql<Row>`
    select id, state::text, retry_count, output->>'message' as error,
           extract(epoch from start_after - now())::float8 as wait_s
      from jobs.job where id = ${id}`.execute(database.db)
  if (!rows[0]) throw new Error('there is no such job')
  return rows[0]
}

const isIn = (id: string, state: string) =>
  vi.waitFor(async () => expect(await readJob(id)).toMatchObject({ state }), patience)

/** A handler with a scripted result for each try. */
function scripted(retryS: readonly number[], ...script: (Error | undefined)[]) {
  const tried: number[] = []
  const job = queueJob({
    queue: papers,
    concurrency: 2,
    retryS,
    async handle({ data, tries }) {
      tried.push(data.paper)
      const error = script[tries - 1]
      if (error) throw error
    },
  })
  return { job, tried }
}

test('a job commits and is undone together with the rows of its transaction', async () => {
  const { job, tried } = scripted([])
  const jobs = await start([job])
  const undone = withTransaction(database.db, async (trx) => {
    await jobs.send(trx, papers, { paper: 1 })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  const id = await withTransaction(database.db, (trx) => jobs.send(trx, papers, { paper: 2 }))
  await isIn(id, 'completed')
  expect(tried).toEqual([2])
})

test('a job is taken right after its commit, without waiting for a look', async () => {
  const taken = Promise.withResolvers<void>()
  const handle = async () => taken.resolve()
  const jobs = await start([queueJob({ queue: papers, concurrency: 1, retryS: [], handle })])
  // The first look of a start is over.
  await jobs.send(database.db, papers, { paper: 0 })
  await taken.promise
  const again = Promise.withResolvers<void>()
  taken.resolve = again.resolve
  const tookMs = await calmMsOf(async () => {
    await withTransaction(database.db, (trx) => jobs.send(trx, papers, { paper: 1 }))
    await again.promise
  })
  expect(tookMs).toBeLessThan(1_000)
})

test('tries follow each other after the declared waits, and the last one is the end', async () => {
  const away = new Error('away')
  const { job } = scripted([60, 300], away, away, away)
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 1 })
  const hurry = async () => {
    await sql`update jobs.job set start_after = now() where id = ${id}`.execute(database.db)
    jobs.wake('test.papers')
  }
  for (const [tries, wait] of [
    [0, 60],
    [1, 300],
  ] as const) {
    await vi.waitFor(
      async () => expect(await readJob(id)).toMatchObject({ state: 'retry', retry_count: tries }),
      patience,
    )
    const { wait_s } = await readJob(id)
    expect(wait_s).toBeGreaterThan(wait - 50)
    expect(wait_s).toBeLessThanOrEqual(wait)
    await hurry()
  }
  await isIn(id, 'failed')
  expect(await readJob(id)).toMatchObject({ error: 'away', retry_count: 2 })
})

test('a full disk uses up no try of a job: it is due again, and its owner gets no notice of failure', async () => {
  const { job, tried } = scripted([], fullDisk())
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 3 })
  await isIn(id, 'retry')
  const { retry_count, wait_s } = await readJob(id)
  expect(retry_count).toBe(0)
  expect(wait_s).toBeGreaterThan(0)
  expect(tried).toEqual([3])
})

test('a refused job fails at once, and is tried once more on an operator’s request', async () => {
  const { job, tried } = scripted([5, 5], new JobRefused('no such mailbox'), undefined)
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 7 })
  await isIn(id, 'failed')
  expect(await withTransaction(database.db, (trx) => jobs.retry(trx, 'test.papers', id))).toBe(true)
  await isIn(id, 'completed')
  expect(tried).toEqual([7, 7])
})

test('jobs that a killed process left are taken up again', async () => {
  const { job, tried } = scripted([0])
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 1 }, { afterS: 3_600 })
  await jobs.stop()
  // As a process leaves it that was killed in the middle of a try.
  await sql`update jobs.job set state = 'active', started_on = now(), start_after = now(),
    heartbeat_on = now() - interval '1 minute' where id = ${id}`.execute(database.db)
  await start([job])
  await isIn(id, 'completed')
  expect(tried).toEqual([1])
})

test('a job that failed once is not given up when its process is killed in the next try', async () => {
  const { job, tried } = scripted([3_600], new Error('away'))
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 1 })
  await isIn(id, 'retry')
  await jobs.stop()
  await sql`update jobs.job set state = 'active', started_on = now(), retry_count = 1, start_after = now(),
    heartbeat_on = now() - interval '1 minute' where id = ${id}`.execute(database.db)
  await start([job])
  await isIn(id, 'completed')
  expect(tried).toEqual([1, 1])
})

/** A job that records the calls about its end. */
function ending(retryS: readonly number[], fail?: Error) {
  const told: string[] = []
  const job = queueJob({
    queue: papers,
    concurrency: 1,
    retryS,
    async handle() {
      if (fail) throw fail
    },
    async gaveUp(trx, { paper }, error) {
      expect(trx.isTransaction).toBe(true)
      told.push(`${paper}: ${error}`)
    },
  })
  return { job, told }
}

/** Housekeeping is due at the next start. */
const makeHousekeepingDue = () =>
  sql`insert into jobs.clock_job (name, every_s, due_at) values ('jobs.housekeeping', 300, now())
    on conflict (name) do update set due_at = now()`.execute(database.db)

test('the owner of a job that failed permanently is notified once, and not before its last try', async () => {
  const { job, told } = ending([3_600], new Error('away'))
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 4 })
  await isIn(id, 'retry')
  expect(told).toEqual([])
  await sql`update jobs.job set start_after = now() where id = ${id}`.execute(database.db)
  jobs.wake('test.papers')
  await isIn(id, 'failed')
  expect(told).toEqual(['4: away'])
})

test('two processes notify the owner of a job whose processes were killed too often only once', async () => {
  const { job, told } = ending([])
  const jobs = await start([job])
  const id = await jobs.send(database.db, papers, { paper: 5 }, { afterS: 3_600 })
  await jobs.stop()
  await sql`update jobs.job set state = 'active', started_on = now(), retry_count = retry_limit,
    heartbeat_on = now() - interval '1 minute' where id = ${id}`.execute(database.db)
  await Promise.all([start([job]), start([job])])
  await isIn(id, 'failed')
  expect(told).toEqual(['5: the process that ran it is gone'])
})

test('the owner of a job that ran for too long is notified, also if the library ended it', async () => {
  const { job, told } = ending([])
  const jobs = await start([job])
  const [ours, library] = [
    await jobs.send(database.db, papers, { paper: 6 }, { afterS: 3_600 }),
    await jobs.send(database.db, papers, { paper: 7 }, { afterS: 3_600 }),
  ]
  await jobs.stop()
  await sql`update jobs.job set state = 'active', started_on = now() - interval '2 days', retry_count = retry_limit,
    heartbeat_on = now() where id = ${ours}`.execute(database.db)
  await sql`update jobs.job set state = 'failed', completed_on = now(),
    output = '{ "value": { "message": "job timed out" } }' where id = ${library}`.execute(database.db)
  await makeHousekeepingDue()
  await start([job])
  await vi.waitFor(
    () => expect(told.toSorted()).toEqual(['6: it ran for too long', '7: it ran for too long']),
    patience,
  )
  await vi.waitFor(
    async () => expect(await readJob(library)).toMatchObject({ error: 'it ran for too long' }),
    patience,
  )
})

test('housekeeping removes the progress that a killed process left, and keeps that of a running job', async () => {
  const taken = Promise.withResolvers<void>()
  const running = queueJob({
    queue: papers,
    concurrency: 1,
    retryS: [],
    async handle(_, { signal, progress }) {
      await progress(1, 3)
      taken.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  })
  const first = await start([running])
  const id = await first.send(database.db, papers, { paper: 1 })
  await taken.promise
  await sql`insert into jobs.progress (job_id, done, total) values (gen_random_uuid(), 1, 2)`.execute(
    database.db,
  )
  await makeHousekeepingDue()
  await start([running])
  await vi.waitFor(async () => {
    const { rows } = await sql`select job_id from jobs.progress`.execute(database.db)
    expect(rows).toEqual([{ job_id: id }])
  }, patience)
})

test('a job that is taken while the platform stops is given back and not run', async () => {
  const { job, tried } = scripted([])
  const jobs = await start([job])
  await jobs.stop()
  const id = await jobs.send(database.db, papers, { paper: 1 })
  const boss = await openBoss(database.db, silentLogger)
  closers.push(() => boss.stop())
  const taken = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const slow = {
    async fetch(...wish: Parameters<typeof boss.fetch>) {
      const found = await boss.fetch(...wish)
      taken.resolve()
      await answer.promise
      return found
    },
  } as unknown as typeof boss
  const { db } = database
  const progress = new ProgressBook({ db, now: Date.now })
  const worker = new QueueWorker(job, {
    db,
    boss: slow,
    logger: silentLogger,
    progress,
    ended: () => undefined,
  })
  worker.wake()
  await taken.promise
  const stopped = worker.stop()
  answer.resolve()
  await stopped
  expect(await readJob(id)).toMatchObject({ state: 'retry', retry_count: 0 })
  expect(tried).toEqual([])
})

test('a stop ends a running try, and the job waits for the next start without having lost a try', async () => {
  const taken = Promise.withResolvers<void>()
  const endless = queueJob({
    queue: papers,
    concurrency: 1,
    retryS: [],
    handle: (_, { signal }) =>
      new Promise((_, reject) => {
        taken.resolve()
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  const jobs = await start([endless])
  const id = await jobs.send(database.db, papers, { paper: 1 })
  await taken.promise
  await jobs.stop()
  expect(await readJob(id)).toMatchObject({ state: 'retry', retry_count: 0 })
  const { job, tried } = scripted([])
  await start([job])
  await isIn(id, 'completed')
  expect(tried).toEqual([1])
})

test('cancelling ends the handler, updates the waiting rows, and the job stays cancelled', async () => {
  const taken = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const undone: number[] = []
  const endless = queueJob({
    queue: papers,
    concurrency: 1,
    retryS: [1],
    async handle(_, { signal }) {
      taken.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended.resolve()
      throw new Error('aborted')
    },
    cancelled: async (_, { paper }) => void undone.push(paper),
  })
  const jobs = await start([endless])
  const id = await jobs.send(database.db, papers, { paper: 3 })
  await taken.promise
  expect(await withTransaction(database.db, (trx) => jobs.cancel(trx, 'test.papers', id))).toBe(true)
  await ended.promise
  await jobs.stop()
  expect(await readJob(id)).toMatchObject({ state: 'cancelled' })
  expect(undone).toEqual([3])
})

test('rows without a job get one at the start, once for two processes', async () => {
  const waiting = new Set([1, 2])
  const tried: number[] = []
  const adopting = queueJob({
    queue: papers,
    concurrency: 2,
    retryS: [],
    handle: async ({ data }) => void tried.push(data.paper),
    adopt: async () => {
      const found = Array.from(waiting, (paper) => ({ paper }))
      waiting.clear()
      return found
    },
  })
  await Promise.all([start([adopting]), start([adopting])])
  await vi.waitFor(() => expect(tried.toSorted()).toEqual([1, 2]), patience)
})

test('progress and end reach only the job’s person', async () => {
  const told: Omit<JobProgress, 'at'>[] = []
  const counting = queueJob({
    queue: papers,
    concurrency: 1,
    retryS: [],
    async handle({ data }, { progress, offer }) {
      offer(`/files/${data.paper}`)
      await progress(3, 3)
      if (data.paper === 3) throw new JobRefused('no')
    },
  })
  const jobs = await start([counting], async ({ at: _, ...progress }) => void told.push(progress))
  const silent = await jobs.send(database.db, papers, { paper: 2 })
  await isIn(silent, 'completed')
  const id = await jobs.send(database.db, papers, { paper: 1 }, { userId: 42 })
  await vi.waitFor(() => expect(told).toHaveLength(2), patience)
  const refused = await jobs.send(database.db, papers, { paper: 3 }, { userId: 42 })
  await vi.waitFor(() => expect(told).toHaveLength(4), patience)
  const step = { userId: 42, done: 3, total: 3 }
  expect(told).toEqual([
    { ...step, jobId: id, state: 'running', url: '' },
    { ...step, jobId: id, state: 'done', url: '/files/1' },
    { ...step, jobId: refused, state: 'running', url: '' },
    { ...step, jobId: refused, state: 'failed', url: '' },
  ])
})

test('a clock job runs once for two processes, and gets the time of its last run', async () => {
  const runs: (number | undefined)[] = []
  const ticking: ClockJob = {
    name: 'test.tick',
    everyS: 1,
    atOnce: true,
    run: async ({ previous }) => void runs.push(previous),
  }
  const at = performance.now()
  await Promise.all([start([ticking]), start([ticking])])
  await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(3), patience)
  const seconds = (performance.now() - at) / 1_000
  expect(runs.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  expect(runs[0]).toBeUndefined()
  expect(runs[2]).toBeGreaterThan(runs[1] ?? Number.POSITIVE_INFINITY)
})

test('a clock job that fails is noted with its error and runs again', async () => {
  let runs = 0
  const failing: ClockJob = {
    name: 'test.failing',
    everyS: 1,
    atOnce: true,
    async run() {
      runs++
      throw new Error('no partition')
    },
  }
  const jobs = await start([failing])
  await vi.waitFor(() => expect(runs).toBe(2), patience)
  await jobs.stop()
  const { rows } = await sql`select error, failures, told_at from jobs.clock_job
    where name = 'test.failing'`.execute(database.db)
  expect(rows).toEqual([{ error: 'no partition', failures: 2, told_at: null }])
})

test('clock jobs run on after the server’s clock was put back', async () => {
  let runs = 0
  const ticking: ClockJob = { name: 'test.back', everyS: 1, atOnce: true, run: async () => void runs++ }
  await start([ticking])
  await vi.waitFor(() => expect(runs).toBe(1), patience)
  await sql`update jobs.clock_job set due_at = now() + interval '1 hour', leased_until = now() + interval '1 hour'
    where name = 'test.back'`.execute(database.db)
  await vi.waitFor(() => expect(runs).toBe(2), patience)
})

test('a run that lasted beyond its lease does not end the lease of the run that followed', async () => {
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const slow: ClockJob = {
    name: 'test.slow',
    everyS: 1,
    atOnce: true,
    run: () => ends[runs++]?.promise ?? Promise.resolve(),
  }
  const former = await start([slow])
  await vi.waitFor(() => expect(runs).toBe(1), patience)
  await sql`update jobs.clock_job set due_at = now(), leased_until = now() - interval '1 s'
    where name = 'test.slow'`.execute(database.db)
  const next = await start([slow])
  await vi.waitFor(() => expect(runs).toBe(2), patience)
  ends[0]?.resolve()
  await former.stop()
  const { rows } = await sql`select leased_until > now() as leased from jobs.clock_job
    where name = 'test.slow'`.execute(database.db)
  expect(rows).toEqual([{ leased: true }])
  ends[1]?.resolve()
  await next.stop()
})

test('housekeeping ends without an error and deletes expired jobs', async () => {
  const { job } = scripted([])
  const jobs = await start([job])
  const [old, recent] = [
    await jobs.send(database.db, papers, { paper: 1 }),
    await jobs.send(database.db, papers, { paper: 2 }),
  ]
  await isIn(old, 'completed')
  await isIn(recent, 'completed')
  await sql`update jobs.job set completed_on = now() - interval '30 days' where id = ${old}`.execute(
    database.db,
  )
  const boss = await openBoss(database.db, silentLogger)
  closers.push(() => boss.stop())
  await boss.supervise()
  await expect(readJob(old)).rejects.toThrow('no such job')
  expect(await readJob(recent)).toMatchObject({ state: 'completed' })
})
