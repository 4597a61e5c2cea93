import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SampleOrder } from '@busbar/platform/test-support/alarm-rules/rules-process.ts'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { isLongRun } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

// Kills of both kinds at least.
const kills = isLongRun() ? 40 : 2
const samplesPerLife = 7

let database: TestDatabase
let child: ChildProcess | undefined
/** Has loaded its program, and begins on a signal: loading takes longer than all the rest of its life. */
let next: ChildProcess | undefined

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  await end('SIGKILL')
  next?.kill('SIGKILL')
  await database.drop()
})

function prepare(): ChildProcess {
  const file = join(import.meta.dirname, '../../../test-support/alarm-rules/rules-process.ts')
  return fork(file, [JSON.stringify(database.connection)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

async function begin(): Promise<void> {
  child = next ?? prepare()
  next = prepare()
  const begun = once(child, 'message')
  child.send('begin')
  await begun
}

async function end(how: 'SIGKILL' | 'stop'): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  if (how === 'stop') child.send(how)
  else child.kill(how)
  await exit
}

/** Stores a sample; resolves after its acknowledgement. */
async function store(order: SampleOrder): Promise<void> {
  child?.send(order)
  if (child) await once(child, 'message')
}

test(`an alarm is raised once for each crossing, through ${kills} kills of the process`, async () => {
  const { machineId } = await createMachine(database.db)
  const condition = { kind: 'threshold', tag: { group: '', name: 'temp' }, op: '>', limit: 80, deadband: 0 }
  await sql`insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
    values (${machineId}, 'major', ${JSON.stringify(condition)}::jsonb, 0, 0, '{"cn": "热", "en": "Hot"}', now(), now())`.execute(
    database.db,
  )
  await begin()
  const crossings: number[] = []
  let time = Date.now()
  let isHot = false
  for (let life = 0; life < kills; life++) {
    for (let place = 0; place < samplesPerLife; place++) {
      time = Math.max(time + 1, Date.now())
      isHot = !isHot
      if (isHot) crossings.push(time)
      const order = { machineId, value: isHot ? 90 : 20, time }
      const isLast = place === samplesPerLife - 1
      // The last one of a life is acknowledged and killed at once, or killed before it is and sent again.
      if (!isLast || life % 2 === 0) await store(order)
      else child?.send(order)
      if (!isLast) continue
      await end('SIGKILL')
      await begin()
      if (life % 2 === 1) await store(order)
    }
  }
  await end('stop')
  const { rows } = await sql<{ raised: number; isOpen: boolean; count: number }>`
    select (extract(epoch from raised_at) * 1000)::float8 as raised, cleared_at is null as "isOpen", count
    from alarms order by raised_at`.execute(database.db)
  expect(rows.map(({ raised }) => raised)).toEqual(crossings)
  expect(rows.filter(({ count }) => count !== 1)).toEqual([])
  expect(rows.map(({ isOpen }) => isOpen)).toEqual(
    crossings.map((_, place) => isHot && place === crossings.length - 1),
  )
})
