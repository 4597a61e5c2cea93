import { createRandom } from '@busbar/platform/test-support/histories/random.ts'
import {
  parseRow,
  planOf,
  readAll,
  StreamRig,
  type ToldValue,
} from '@busbar/platform/test-support/project-stream/stream-rig.ts'
import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { aside, createTestDatabase } from '@busbar/testkit/database.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Telemetry } from '../telemetry/index.ts'
import { ReaderStore } from './reader-store.ts'

const store = useStore()
const projectId = 7
let rig: StreamRig
let machines: { machineId: number; machineCode: string }[]

beforeEach(async () => {
  rig = new StreamRig({ db: store.db, now: () => store.clock })
  for (let place = 0; place < 3; place++) await store.createMachine()
  machines = await store.db
    .selectFrom('machines')
    .select(['id as machineId', 'code as machineCode'])
    .orderBy('id')
    .execute()
})

afterEach(() => vi.restoreAllMocks())

const idOf = (place: number): number => machines[place]?.machineId ?? 0

async function publish(telemetry: Telemetry, machineId: number, value: number, tag = 'flow'): Promise<void> {
  store.clock += 1_000
  await telemetry.append(machineId, [sample(tag, value)])
}

const valuesOf = async (place: number): Promise<unknown[]> =>
  (await rig.valuesOf(projectId))
    .filter(({ machineCode }) => machineCode === machines[place]?.machineCode)
    .map(({ value }) => value)

describe('a row', () => {
  it('has all values of a machine at one instant, with the names of the machine', async () => {
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    store.clock += 1_000
    await store.telemetry.append(idOf(0), [
      sample('flow', 1.5),
      sample('count', 2n ** 60n),
      sample('parts', 12n),
      sample('open', true, { group: 'door' }),
      sample('mode', 'auto', { quality: 64 }),
    ])
    await readAll(reader)
    const rows = await rig.rowsOf(projectId)
    expect(rows).toMatchObject([
      { no: 1, linkId: 7_000 + idOf(0), machineId: idOf(0), kind: 'row', late: false },
    ])
    expect(rows.map(parseRow)).toEqual([
      {
        machineCode: machines[0]?.machineCode,
        machineName: `Press ${idOf(0)}`,
        group: '',
        time: store.clock,
        receivedAt: store.clock,
        values: { flow: 1.5, count: String(2n ** 60n), parts: 12, open: true, mode: 'auto' },
        quality: { mode: 'uncertain' },
      },
    ])
  })

  it('names the group of a variable of which its machine has two', async () => {
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    await store.telemetry.append(idOf(0), [
      sample('flow', 1, { group: 'north' }),
      sample('flow', 2, { group: 'south' }),
      sample('heat', 3, { group: 'south' }),
    ])
    await readAll(reader)
    expect((await rig.rowsOf(projectId)).map(parseRow)).toMatchObject([
      { group: '', values: { 'north.flow': 1, 'south.flow': 2, heat: 3 } },
    ])
  })

  it('tells nothing of a backlog that is older than the link, and a live value by whatever clock', async () => {
    const since = store.clock
    const [link] = planOf(projectId, machines).links
    if (!link) throw new Error('a machine is expected')
    rig.setPlans(planOf(projectId, [], { links: [{ ...link, linkedAt: new Date(since) }] }))
    const reader = await rig.open()
    await readAll(reader)
    await store.telemetry.append(idOf(0), [
      sample('flow', 1, { late: true, time: since - 1 }),
      sample('flow', 2, { late: true, time: since }),
      sample('flow', 3, { time: since - 60_000 }),
    ])
    await readAll(reader)
    expect(await rig.valuesOf(projectId)).toMatchObject([{ value: 2 }, { value: 3 }])
  })

  it('has the first value after a call that added its machine, which the reader was not told of yet', async () => {
    rig.setPlans(planOf(projectId, machines.slice(0, 1)))
    const reader = await rig.open()
    await readAll(reader)
    rig.catchUp = async () => rig.setPlans(planOf(projectId, machines.slice(0, 2)))
    await store.telemetry.append(idOf(1), [sample('flow', 1)])
    await readAll(reader)
    expect(await rig.valuesOf(projectId)).toMatchObject([{ value: 1 }])
  })

  it('has the chosen variables only, and tells that it is late', async () => {
    const variables = { groups: ['door'], tags: [{ group: '', tag: 'flow' }] }
    rig.setPlans(planOf(projectId, machines, { variables }))
    const reader = await rig.open()
    await readAll(reader)
    await store.telemetry.append(idOf(0), [
      sample('flow', 1, { late: true, time: store.clock - 3_600_000 }),
      sample('heat', 2),
      sample('open', true, { group: 'door' }),
    ])
    await readAll(reader)
    expect((await rig.rowsOf(projectId)).map(parseRow)).toMatchObject([
      { late: true, time: store.clock - 3_600_000, values: { flow: 1 } },
      { group: 'door', time: store.clock, values: { open: true } },
    ])
  })
})

describe('plans', () => {
  it('count from when they are made until they end, without a word to the database before and after', async () => {
    const reader = await rig.open()
    reader.start()
    onTestFinished(() => reader.stop())
    await publish(store.telemetry, idOf(0), 1)
    const read = await countStatements()
    await publish(store.telemetry, idOf(0), 2)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await countStatements()).toBe(read)
    rig.setPlans(planOf(projectId, machines.slice(0, 2)))
    await expect.poll(isReading).toBe(true)
    await publish(store.telemetry, idOf(2), 3)
    await publish(store.telemetry, idOf(0), 3)
    await expect.poll(() => rig.valuesOf(projectId)).toHaveLength(1)
    rig.setPlans(planOf(projectId, machines.slice(1)))
    await publish(store.telemetry, idOf(1), 4)
    await expect.poll(() => rig.valuesOf(projectId)).toHaveLength(2)
    rig.setPlans()
    await expect.poll(isReading).toBe(false)
    await publish(store.telemetry, idOf(1), 5)
    expect(await valuesOf(0)).toEqual([3])
    expect(await valuesOf(1)).toEqual([4])
    expect(await valuesOf(2)).toEqual([])
  })

  it('may have the same machine in two projects, with other variables', async () => {
    rig.setPlans(
      planOf(1, machines),
      planOf(2, machines.slice(1), { variables: { groups: [], tags: [{ group: '', tag: 'heat' }] } }),
    )
    const reader = await rig.open()
    await readAll(reader)
    for (const { machineId } of machines) {
      await publish(store.telemetry, machineId, 1)
      await publish(store.telemetry, machineId, 2, 'heat')
    }
    await readAll(reader)
    expect((await rig.valuesOf(1)).map(({ value }) => value)).toEqual([1, 2, 1, 2, 1, 2])
    expect((await rig.valuesOf(2)).map(({ value }) => value)).toEqual([2, 2])
    expect(await rig.streams.heads([1, 2, 3])).toMatchObject(
      new Map([
        [1, { firstNo: 1, nextNo: 7 }],
        [2, { firstNo: 1, nextNo: 3 }],
      ]),
    )
  })
})

const isReading = async (): Promise<boolean | undefined> =>
  (await sql<{ is: boolean }>`select is_reading as is from project_stream_reader`.execute(store.db)).rows[0]
    ?.is

/** Statements that the reader has sent: each counts a look at its own tables, or at the positions of logs. */
async function countStatements(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) from pg_stat_user_tables
            where relname like 'project_stream%')::int as count
    from pg_stat_force_next_flush()`.execute(store.db)
  return rows[0]?.count ?? 0
}

describe('a commit', () => {
  it('with a lower number that came after a higher one was neither lost nor doubled', async () => {
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    await publish(store.telemetry, idOf(0), 1)
    await publish(store.telemetry, idOf(1), 2)
    const late = await takeNewest()
    await publish(store.telemetry, idOf(0), 3)
    await readAll(reader)
    expect((await rig.valuesOf(projectId)).map(({ value }) => value)).toEqual([1, 3])
    await store.db.insertInto('sample_log').values(late).execute()
    await readAll(reader)
    await readAll(await rig.open())
    expect((await rig.valuesOf(projectId)).map(({ value }) => value)).toEqual([1, 3, 2])
  })

  it('that never came is looked for no longer than until the rows behind it are in chunks', async () => {
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    for (const value of [1, 2, 3]) await publish(store.telemetry, idOf(0), value)
    await sql`delete from sample_log where seq = 2`.execute(store.db)
    await readAll(reader)
    expect(await listMissing()).toEqual([2])
    await store.telemetry.flush()
    await publish(store.telemetry, idOf(0), 4)
    await readAll(reader)
    expect(await listMissing()).toEqual([])
  })

  it('without samples takes no number of the log', async () => {
    await publish(store.telemetry, idOf(0), 1)
    await store.telemetry.append(idOf(0), [
      {
        kind: 'alarm',
        key: 'E1',
        level: 'major',
        text: { en: 'Oil' },
        state: 'raised',
        isRepeat: false,
        time: store.clock,
        late: false,
      },
    ])
    await publish(store.telemetry, idOf(0), 2)
    const { rows } = await sql<{ seq: number }>`select seq from sample_log order by seq`.execute(store.db)
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('of the former process of a machine comes before those of the next one, however much there is to read', async () => {
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    const other = await store.open({ nodeId: 'other' })
    onTestFinished(() => other.stop())
    const nodes = [store.telemetry, other] as const
    const sent: number[] = []
    for (let value = 0; value < 200; value++) {
      // Other machines of the other process fill its log.
      if (value % 2 === 0) await publish(nodes[1], idOf(2), value)
      await publish(nodes[value > 70 && value < 140 ? 1 : 0], idOf(0), value)
      sent.push(value)
    }
    await readAll(reader)
    expect(await valuesOf(0)).toEqual(sent)
  })
})

/** Takes the newest row out of the log, as one that is not committed yet. */
async function takeNewest(): Promise<never> {
  const { rows } = await sql<object>`
    delete from sample_log where committed_at = (select max(committed_at) from sample_log) returning *`.execute(
    store.db,
  )
  expect(rows).toHaveLength(1)
  return rows[0] as never
}

async function listMissing(): Promise<number[]> {
  const { rows } = await sql<{ missing: number[] }>`select missing from project_stream_logs`.execute(store.db)
  return rows.flatMap(({ missing }) => missing)
}

/** Each stored sample, as the stream has to have it. */
async function listExpected(): Promise<ToldValue[]> {
  const logged = await listLogged(store.db)
  return logged.map(({ code, name, at, value }) => ({
    machineCode: code,
    key: name,
    time: at.getTime(),
    value,
  }))
}

const sorted = (values: readonly ToldValue[]): string[] => values.map((value) => JSON.stringify(value)).sort()

async function expectEachOnce(): Promise<void> {
  expect(sorted(await rig.valuesOf(projectId))).toEqual(sorted(await listExpected()))
}

/* A process that is killed between two steps: its place is taken by another one, which reads on from what is stored. */
const kills = [
  'project_stream_reader',
  'project_stream_logs',
  'project_streams',
  'project_stream',
  'answer lost',
] as const

async function killAt(step: (typeof kills)[number], next: () => Promise<void>): Promise<void> {
  if (step === 'answer lost') {
    const spied = vi.spyOn(rig.streams, 'tell').mockImplementation(() => {
      throw new Error('killed')
    })
    await next().catch(() => undefined)
    spied.mockRestore()
    return
  }
  await sql
    .raw(
      `create or replace function killed() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
       create trigger killed before insert or update on ${step} for each statement execute function killed()`,
    )
    .execute(store.db)
  await next().catch(() => undefined)
  await sql.raw(`drop trigger killed on ${step}`).execute(store.db)
}

describe('each stored sample is in the stream once', () => {
  it.each(kills)('where the process is killed at: %s', async (step) => {
    rig.setPlans(planOf(projectId, machines))
    const first = await rig.open()
    await readAll(first)
    await publish(store.telemetry, idOf(0), 1)
    await readAll(first)
    await publish(store.telemetry, idOf(0), 2)
    await killAt(step, () => readAll(first))
    await publish(store.telemetry, idOf(0), 3)
    const second = await rig.open()
    await readAll(second)
    await expectEachOnce()
  })

  it('where a process that lost its place was only slow: it writes nothing more', async () => {
    rig.setPlans(planOf(projectId, machines))
    const first = await rig.open()
    await readAll(first)
    await publish(store.telemetry, idOf(0), 1)
    const second = await rig.open()
    await readAll(second)
    await expect(readAll(first)).rejects.toThrow('another process')
    await readAll(first)
    await publish(store.telemetry, idOf(0), 2)
    await readAll(second)
    await expectEachOnce()
  })

  it('but not where the positions are stored by themselves', async () => {
    const save = ReaderStore.prototype.savePositions
    vi.spyOn(ReaderStore.prototype, 'savePositions').mockImplementation(async function (
      this: ReaderStore,
      _trx,
      positions,
    ) {
      await aside(() => save.call(this, store.db, positions))(undefined)
    })
    rig.setPlans(planOf(projectId, machines))
    const first = await rig.open()
    await readAll(first)
    await publish(store.telemetry, idOf(0), 1)
    await killAt('project_stream', () => readAll(first))
    await readAll(await rig.open())
    await expect(expectEachOnce()).rejects.toThrow()
  })

  it.each(pickSeeds())(
    'in a random history of processes, moves, commits and kills (seed %i)',
    async (seed) => {
      const random = createRandom(seed)
      rig.setPlans(planOf(projectId, machines))
      let reader = await rig.open()
      await readAll(reader)
      const nodes = [
        store.telemetry,
        await store.open({ nodeId: 'b' }),
        await store.open({ nodeId: 'c' }),
      ] as const
      onTestFinished(async () => {
        for (const node of nodes.slice(1)) await node.stop()
      })
      const drawNode = () => random.pick(nodes)
      const held = new Map(machines.map(({ machineId }) => [machineId, drawNode()]))
      for (let turn = 0; turn < 120; turn++) {
        const machineId = idOf(random.below(2))
        const act = random.below(12)
        if (act === 0) held.set(machineId, drawNode())
        else if (act === 1) await killAt(random.pick(kills), () => readAll(reader))
        if (act === 1 || act === 2) reader = await rig.open()
        else if (act === 3) await readAll(reader).catch(() => undefined)
        else if (act === 4) {
          // The commit of the third machine is late: the reader meets one of a higher number before it.
          const node = drawNode()
          await publish(node, idOf(2), turn)
          const late = await takeNewest()
          await publish(node, machineId, turn)
          await readAll(reader).catch(() => undefined)
          await store.db.insertInto('sample_log').values(late).execute()
        } else await publish(held.get(machineId) ?? drawNode(), machineId, turn, `t${random.below(4)}`)
      }
      await readAll(await rig.open())
      await expectEachOnce()
      for (const place of [0, 1]) {
        const told = (await valuesOf(place)) as number[]
        expect(told).toEqual(told.toSorted((a, b) => a - b))
      }
    },
  )

  it('of a second database', async () => {
    const samples = await createTestDatabase()
    onTestFinished(() => samples.drop())
    const pools = { calls: samples.db, commits: samples.db, history: samples.db, lists: samples.db }
    const telemetry = await store.open({ nodeId: 'apart', samples: pools })
    onTestFinished(() => telemetry.stop())
    rig = new StreamRig({ db: store.db, samplesDb: samples.db, now: () => store.clock })
    rig.setPlans(planOf(projectId, machines))
    const reader = await rig.open()
    await readAll(reader)
    for (const value of [1, 2, 3]) await publish(telemetry, idOf(0), value)
    await readAll(reader)
    expect(await valuesOf(0)).toEqual([1, 2, 3])
    const { rows } = await sql`select from project_stream`.execute(store.db)
    expect(rows).toEqual([])
  })
})
