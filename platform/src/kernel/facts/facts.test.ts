import { aside, countLockWaits } from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { collect, kind, machineOf, openFacts } from '../../../test-support/facts/open-facts.ts'
import { fullDisk } from '../../../test-support/full-disk.ts'
import { openDatabase, withClient, withTransaction } from '../database/database.ts'
import { endsWithin, factsStopMsMax } from '../stop-budget.ts'
import { factsKeptDays, keepFactPartitions } from './fact-partitions.ts'
import type { DurableFollower, Follower } from './follower.ts'

const deadline = { timeout: 15_000, interval: 10 }

const site = useDatabase({ poolMax: 8 })

let names = 0
const nameOne = () => `test.${++names}` as const

/** Whether no transaction of the cluster is older than the newest fact. */
async function isBehindHorizon(): Promise<boolean> {
  const { rows } = await sql<{ isBehind: boolean }>`
    select coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) as "isBehind" from facts`.execute(
    site.db,
  )
  return rows[0]?.isBehind ?? false
}

/** Durable followers that are new begin with the next fact: no older transaction of another database is under way. */
async function open(...followers: Follower[]) {
  await expect.poll(isBehindHorizon, deadline).toBe(true)
  const opened = await openFacts(site.db, followers)
  onTestFinished(() => opened.stop())
  return opened
}

/** The facts of another process, with its own pool and bus. */
async function openBeside(...followers: Follower[]) {
  const db = openDatabase(site.connection, { poolMax: 4 })
  const opened = await openFacts(db, followers)
  onTestFinished(async () => {
    await opened.stop()
    await db.destroy()
  })
  return opened
}

function live(name = nameOne()) {
  const told: number[] = []
  const follower: Follower = {
    mode: 'live',
    name,
    kinds: [kind],
    follow: (facts) => void told.push(...facts.map(machineOf)),
  }
  return { follower, told }
}

test('a fact of a transaction that commits late is skipped by no follower', async () => {
  const watched = live()
  const kept = collect(nameOne())
  const { facts, record } = await open(watched.follower, kept.follower)
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const slow = withTransaction(site.db, async (trx) => {
    await facts.record(trx, { kind, machineId: 1, at: 0 })
    begun.resolve()
    await rest.promise
  })
  await begun.promise
  await record(2)
  await expect.poll(() => watched.told, deadline).toEqual([2])
  rest.resolve()
  await slow
  await record(3)
  await expect.poll(() => watched.told, deadline).toEqual([2, 1, 3])
  // A durable follower waited for it, and has the order of the transactions.
  await expect.poll(() => kept.handled, deadline).toEqual([1, 2, 3])
})

test('a fact has its recorded contents in every process', async () => {
  const got: unknown[] = []
  const one: Follower = {
    mode: 'live',
    name: nameOne(),
    kinds: [kind],
    follow: (all) => void got.push(...all),
  }
  const { facts } = await open()
  const beside = await openBeside(one)
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
  await facts.record(site.db, { kind, machineId: 7, userId: 8, enterpriseId: 9, at })
  await expect
    .poll(() => got, deadline)
    .toEqual([
      { id: expect.any(Number), xid: expect.any(String), kind, machineId: 7, userId: 8, enterpriseId: 9, at },
    ])
  expect(await beside.facts.catchUp(1_000)).toBe(true)
})

test('facts recorded by a plain client are followed after its commit and a wake', async () => {
  const watched = live()
  const { facts } = await open(watched.follower)
  await withClient(site.db, async (client) => {
    await client.query('begin')
    await facts.recordAll(client, [
      { kind, machineId: 21, at: 0 },
      { kind, machineId: 22, at: 0 },
    ])
    await client.query('commit')
    facts.wake()
  })
  expect(await facts.catchUp(10_000)).toBe(true)
  expect(watched.told).toEqual([21, 22])
})

test('a follower that throws delays no other', async () => {
  const failing = collect(nameOne(), () => true)
  const liveFailing: Follower = {
    mode: 'live',
    name: nameOne(),
    kinds: [kind],
    follow: () => {
      throw new Error('live failure')
    },
  }
  const watched = live()
  const kept = collect(nameOne())
  const { record } = await open(liveFailing, failing.follower, watched.follower, kept.follower)
  await record(1, 2, 3)
  await expect
    // While another test holds a transaction open, a new follower also gets facts of the test before.
    .poll(() => [watched.told, kept.handled.slice(-3)], deadline)
    .toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  expect(failing.handled).toEqual([])
})

test('a fact that fails five times is set aside, the others are handled, and it can be retried', async () => {
  let isMended = false
  let tries = 0
  const refuse = (machineId: number) => {
    if (machineId !== 2) return false
    tries++
    return !isMended
  }
  const { follower, handled } = collect(nameOne(), refuse)
  const { facts, record } = await open(follower)
  const ownAside = async () => (await facts.listSetAside()).filter((each) => each.follower === follower.name)
  await record(1, 2, 3)
  await expect.poll(() => handled, deadline).toEqual([1, 3])
  // The whole batch once, then the fact alone.
  expect(tries).toBe(6)
  const [aside] = await ownAside()
  expect(aside).toMatchObject({ error: 'refuses 2', failures: 5, fact: { kind, machineId: 2 } })
  await expect(facts.retrySetAside(follower.name, aside?.factId ?? 0)).rejects.toThrow('refuses 2')
  expect(await ownAside()).toMatchObject([{ failures: 6 }])
  isMended = true
  expect(await facts.retrySetAside(follower.name, aside?.factId ?? 0)).toBe(true)
  expect(handled).toEqual([1, 3, 2])
  expect(await ownAside()).toEqual([])
  expect(await facts.retrySetAside(follower.name, aside?.factId ?? 0)).toBe(false)
})

test('a fact is set aside for any error, and the follower goes on', async () => {
  const handled: number[] = []
  const follower: Follower = {
    mode: 'durable',
    name: nameOne(),
    kinds: [kind],
    async follow(_, facts) {
      if (facts.some((fact) => machineOf(fact) === 1)) throw new Error('the other side said \0')
      handled.push(...facts.map(machineOf))
    },
  }
  const { facts, record } = await open(follower)
  await record(1, 2)
  await expect.poll(() => handled, deadline).toEqual([2])
  const aside = (await facts.listSetAside()).find((each) => each.follower === follower.name)
  expect(aside?.error).toBe('the other side said ')
})

test('a full disk sets no fact aside: it is handled when there is room again', async () => {
  const { follower, handled } = collect(nameOne())
  let tries = 0
  const full: DurableFollower = {
    ...follower,
    async follow(trx, all) {
      if (++tries < 3) throw fullDisk()
      await follower.follow(trx, all)
    },
  }
  const { facts, record } = await open(full)
  await record(1, 2)
  await expect.poll(() => handled, deadline).toEqual([1, 2])
  expect((await facts.listSetAside()).filter((each) => each.follower === follower.name)).toEqual([])
})

test('after a restart a durable follower goes on exactly where it stopped', async () => {
  const name = nameOne()
  const before = collect(name)
  const first = await openFacts(site.db, [before.follower])
  await first.record(1, 2)
  await expect.poll(() => before.handled, deadline).toEqual([1, 2])
  await first.stop()
  const meanwhile = await open()
  await meanwhile.record(3)
  await meanwhile.record(4)
  const after = collect(name)
  const second = await open(after.follower)
  await second.record(5)
  await expect.poll(() => after.handled, deadline).toEqual([3, 4, 5])
})

test('a new follower begins with facts recorded from then on', async () => {
  const recorder = await open()
  await recorder.record(1)
  const kept = collect(nameOne())
  const { record } = await open(kept.follower)
  await record(2)
  await expect.poll(() => kept.handled, deadline).toEqual([2])
})

test('two processes share a durable follower without handling a fact twice', async () => {
  const name = nameOne()
  const [one, other] = [collect(name), collect(name)]
  for (const { follower } of [one, other]) Object.assign(follower, { factsMax: 3 })
  const { record } = await open(one.follower)
  const beside = await openBeside(other.follower)
  const ids = Array.from({ length: 60 }, (_, place) => place + 1)
  await Promise.all(ids.map((id) => (id % 2 ? record(id) : beside.record(id))))
  const all = () => [...one.handled, ...other.handled].sort((a, b) => a - b)
  await expect.poll(() => all().length, deadline).toBeGreaterThanOrEqual(ids.length)
  expect(all()).toEqual(ids)
})

test('the changes of a follower during a recording are rolled back with it, and its failure rolls back the recording', async () => {
  let isRefusing = false
  const during: Follower = {
    mode: 'during',
    name: nameOne(),
    kinds: [kind],
    async follow(trx, facts) {
      if (isRefusing) throw new Error('not now')
      for (const fact of facts)
        await trx
          .insertInto('enterprises')
          .values({ name: `of ${machineOf(fact)}` })
          .execute()
    },
  }
  const { facts, record } = await open(during)
  const listNames = async () => {
    const rows = await site.db.selectFrom('enterprises').select('name').orderBy('name').execute()
    return rows.map(({ name }) => name)
  }
  const countFacts = async () => (await site.db.selectFrom('facts').select('id').execute()).length
  await record(31)
  expect(await listNames()).toEqual(['of 31'])
  const before = await countFacts()
  const undone = withTransaction(site.db, async (trx) => {
    await facts.record(trx, { kind, machineId: 32, at: 0 })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  isRefusing = true
  await expect(record(33)).rejects.toThrow('not now')
  expect(await listNames()).toEqual(['of 31'])
  expect(await countFacts()).toBe(before)
  await expect(facts.record(site.db, { kind, machineId: 34, at: 0 })).rejects.toThrow('needs a transaction')
})

test('the lag of a failing durable follower is shown, and that of an idle one is 0', async () => {
  const failing = collect(nameOne(), () => true)
  const kept = collect(nameOne())
  const { facts, record } = await open(failing.follower, kept.follower)
  await record(1)
  await expect
    .poll(() => facts.metrics(), deadline)
    .toMatchObject({
      recorded: 1,
      followers: [
        { name: failing.follower.name, handled: 1, failed: 5 },
        { name: kept.follower.name, handled: 1, lagMs: 0 },
      ],
    })
})

test('the lag counts facts that a long transaction holds up', async () => {
  const kept = collect(nameOne())
  const { facts, record } = await open(kept.follower)
  const lag = async () => (await facts.metrics()).followers[0]?.lagMs ?? 0
  await record(1)
  await expect.poll(() => kept.handled, deadline).toEqual([1])
  expect(await lag()).toBe(0)
  await withClient(
    site.db,
    aside(async (long) => {
      await long.query('begin')
      await long.query('select pg_current_xact_id()')
      await record(2)
      const first = await lag()
      expect(first).toBeGreaterThan(0)
      await expect.poll(lag, deadline).toBeGreaterThan(first)
      expect(kept.handled).toEqual([1])
      await long.query('rollback')
    }),
  )
  await expect.poll(() => kept.handled, deadline).toEqual([1, 2])
  expect(await lag()).toBe(0)
})

test('facts lie in a partition of their day, made ahead, and go after 30 days', async () => {
  const listNames = async () => {
    const { rows } = await sql<{ name: string }>`
      select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
      where inhparent = 'facts'::regclass order by 1`.execute(site.db)
    return rows.map(({ name }) => name)
  }
  const now = Date.UTC(2030, 0, 30, 12)
  await keepFactPartitions(site.db, now)
  expect(await listNames()).toEqual(['facts_20300130', 'facts_20300131', 'facts_20300201', 'facts_rest'])
  await keepFactPartitions(site.db, now + (factsKeptDays + 1) * 86_400_000)
  expect(await listNames()).toEqual([
    'facts_20300131',
    'facts_20300201',
    'facts_20300302',
    'facts_20300303',
    'facts_20300304',
    'facts_rest',
  ])
})

test('a backup that reads an old day delays no recording, and no platform’s start', async () => {
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'facts'::regclass`.execute(
      site.db,
    )
    return rows.map(({ name }) => name)
  }
  const now = Date.UTC(2031, 0, 1, 12)
  const later = now + (factsKeptDays + 5) * 86_400_000
  await keepFactPartitions(site.db, now)
  // Like the commits of machines' data: a short limit for locks.
  const commits = openDatabase(site.connection, { poolMax: 1, lockMsMax: 250 })
  onTestFinished(() => commits.destroy())
  const { facts } = await open()
  await withClient(
    site.db,
    aside(async (reader) => {
      await reader.query('begin')
      await reader.query('select from facts_20310101')
      let isKept = false
      const keeping = keepFactPartitions(site.db, later).finally(() => {
        isKept = true
      })
      while (!isKept) await facts.record(commits, { kind, machineId: 1, at: 0 })
      await keeping
      await reader.query('rollback')
    }),
  )
  expect(await names()).toContain('facts_20310101')
  await keepFactPartitions(site.db, later)
  expect(await names()).not.toContain('facts_20310101')
})

test('reads that hang do not keep the facts from stopping', async () => {
  const kept = collect(nameOne())
  const { facts } = await openBeside(live().follower, kept.follower)
  const isStopped = await withClient(site.db, async (client) => {
    await client.query('begin')
    await client.query('lock table facts in access exclusive mode')
    facts.wake()
    // The reader of the live followers, and the one of the durable follower.
    await expect.poll(() => countLockWaits(site.db), deadline).toBeGreaterThan(1)
    const stopped = await endsWithin(2 * factsStopMsMax, () => facts.stop())
    await client.query('rollback')
    return stopped
  })
  expect(isStopped).toBe(true)
})
