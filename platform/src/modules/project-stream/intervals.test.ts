import { createRandom } from '@busbar/platform/test-support/histories/random.ts'
import {
  parseRow,
  planOf,
  readAll,
  StreamRig,
} from '@busbar/platform/test-support/project-stream/stream-rig.ts'
import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'

const store = useStore()
const projectId = 7
const everyS = 10
const everyMs = everyS * 1_000
let rig: StreamRig
let machines: { machineId: number; machineCode: string }[]

beforeEach(async () => {
  rig = new StreamRig({ db: store.db, now: () => store.clock })
  for (let place = 0; place < 2; place++) await store.createMachine()
  machines = await store.db
    .selectFrom('machines')
    .select(['id as machineId', 'code as machineCode'])
    .orderBy('id')
    .execute()
})

const idOf = (place: number): number => machines[place]?.machineId ?? 0
const parsedRows = async () => (await rig.rowsOf(projectId)).map(parseRow)

interface Row {
  readonly machineCode: string
  readonly values: Record<string, number>
  readonly stats: Record<string, { mean: number; min: number; max: number }>
}

/** The rows that the stored samples make, computed from all of them at once. */
async function computeRows(): Promise<Row[]> {
  const samples = await listLogged(store.db)
  const intervals = Map.groupBy(
    samples,
    ({ code, receivedAt }) => `${Math.floor(receivedAt.getTime() / everyMs)} ${code}`,
  )
  return Array.from(intervals.values(), (ofInterval) => {
    const tags = Map.groupBy(ofInterval, ({ name }) => name)
    const each = <Value>(of: (values: number[]) => Value) =>
      Object.fromEntries(
        Array.from(tags, ([name, ofTag]) => [
          name,
          of(ofTag.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ value }) => Number(value))),
        ]),
      )
    return {
      machineCode: ofInterval[0]?.code ?? '',
      values: each((values) => values.at(-1) ?? 0),
      stats: each((values) => ({
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        min: Math.min(...values),
        max: Math.max(...values),
      })),
    }
  })
}

const byText = (rows: readonly Row[]) =>
  rows
    .map(({ machineCode, values, stats }) => ({ machineCode, values, stats }))
    .toSorted((a, b) =>
      JSON.stringify([a.machineCode, a.values]).localeCompare(JSON.stringify([b.machineCode, b.values])),
    )

it.each(pickSeeds())(
  'rows of intervals are what all samples make, also after kills at any time (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    rig.setPlans(planOf(projectId, machines, { everyS }))
    let reader = await rig.open()
    await readAll(reader)
    for (let turn = 0; turn < 100; turn++) {
      store.clock += random.pick([200, 1_000, 3_000, 12_000])
      await store.telemetry.append(idOf(random.below(2)), [
        sample(`t${random.below(3)}`, turn),
        sample('all', turn),
      ])
      if (random.chance(0.5)) await readAll(reader)
      if (random.chance(0.2)) reader = await rig.open()
    }
    store.clock += everyMs + 1_000
    await readAll(await rig.open())
    await readAll(await rig.open())
    const [told, computed] = [byText(await parsedRows()), byText(await computeRows())]
    expect(told).toHaveLength(computed.length)
    expect(told).toEqual(computed)
    expect((await rig.rowsOf(projectId)).map(({ no }) => no)).toEqual(told.map((_, place) => place + 1))
  },
)

it('values of all types survive a kill before they were stored, and after', async () => {
  rig.setPlans(planOf(projectId, machines, { everyS }))
  await readAll(await rig.open())
  await store.telemetry.append(idOf(0), [
    sample('mode', 'auto'),
    sample('open', true),
    sample('count', 2n ** 60n),
  ])
  await readAll(await rig.open())
  // It goes on: waits of other parts would never end by a clock that stands.
  const now = performance.now.bind(performance)
  let aheadMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
  onTestFinished(() => clock.mockRestore())
  const reader = await rig.open()
  await readAll(reader)
  aheadMs = 60_000
  await readAll(reader)
  await store.telemetry.append(idOf(0), [sample('none', Number.NaN)])
  await readAll(await rig.open())
  store.clock += everyMs + 1_000
  await readAll(await rig.open())
  expect(await parsedRows()).toMatchObject([
    { values: { mode: 'auto', open: true, count: String(2n ** 60n), none: null }, quality: { none: 'bad' } },
  ])
})

it('an interval that a killed process had stored and another one ended comes once', async () => {
  rig.setPlans(planOf(projectId, machines, { everyS }))
  const first = await rig.open()
  await readAll(first)
  await store.telemetry.append(idOf(0), [sample('flow', 1)])
  await readAll(first)
  store.clock += everyMs + 1_000
  await store.telemetry.append(idOf(0), [sample('flow', 2)])
  const tell = vi.spyOn(rig.streams, 'tell').mockImplementation(() => {
    throw new Error('killed')
  })
  await expect(readAll(first)).rejects.toThrow('killed')
  tell.mockRestore()
  await store.telemetry.append(idOf(0), [sample('flow', 4)])
  const second = await rig.open()
  await readAll(second)
  expect((await parsedRows()).map(({ values }) => values.flow)).toEqual([1])
  store.clock += everyMs + 1_000
  await readAll(second)
  expect(await parsedRows()).toMatchObject([
    { values: { flow: 1 }, stats: { flow: { mean: 1, min: 1, max: 1 } } },
    { values: { flow: 4 }, stats: { flow: { mean: 3, min: 2, max: 4 } } },
  ])
})

it('texts and switches have their last value, and no figures; late values are rows of their own times', async () => {
  rig.setPlans(planOf(projectId, machines, { everyS }))
  const reader = await rig.open()
  await readAll(reader)
  const late = store.clock - 3_600_000
  await store.telemetry.append(idOf(0), [
    sample('mode', 'auto'),
    sample('open', true),
    sample('count', 2n ** 60n),
    ...[0, 1_000, 2_000, everyMs].map((ms) => sample('flow', ms, { late: true, time: late + ms })),
  ])
  await readAll(reader)
  expect(await parsedRows()).toMatchObject([
    { late: true, time: late + 2_000, values: { flow: 2_000 }, stats: { flow: { mean: 1_000 } } },
    { late: true, time: late + everyMs, values: { flow: everyMs } },
  ])
  store.clock += everyMs + 1_000
  await readAll(reader)
  expect((await parsedRows()).at(-1)).toMatchObject({
    values: { mode: 'auto', open: true, count: String(2n ** 60n) },
    stats: { count: { mean: 2 ** 60 } },
  })
})

it('another interval ends the open one, and a link that went takes what it told along', async () => {
  rig.setPlans(planOf(projectId, machines, { everyS }))
  const reader = await rig.open()
  await readAll(reader)
  for (const { machineId } of machines) await store.telemetry.append(machineId, [sample('flow', machineId)])
  await readAll(reader)
  rig.setPlans(planOf(projectId, machines.slice(1), { everyS: 60 }))
  await readAll(reader)
  expect(await parsedRows()).toMatchObject([
    { machineCode: machines[1]?.machineCode, values: { flow: idOf(1) } },
  ])
  await store.telemetry.append(idOf(1), [sample('flow', 0)])
  await readAll(reader)
  // The values before the end of reporting go to nobody.
  rig.setPlans()
  await readAll(reader)
  rig.setPlans(planOf(projectId, machines))
  await readAll(await rig.open())
  expect(await rig.rowsOf(projectId)).toHaveLength(1)
})
