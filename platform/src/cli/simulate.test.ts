import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { CommandError } from './command.ts'
import { simulateCommand } from './simulate-command.ts'

const site = useSite()

const simulate = (...args: string[]) =>
  simulateCommand.prepare([...args, '--url', site.mqttUrl, '--force'])(site.db)

test('fifty machines are registered, sign in, speak both protocols, and go without a trace', async () => {
  const other = await site.createMachine()
  const owner = await site.createUser()
  const play = ['--machines', '50', '--rate', '2', '--connect', '500', '--for', '3', '--account', owner.email]
  await simulate(...play)

  const played = () =>
    sql<{ code: string; sparkplug: boolean; ended: boolean }>`
    select code, bool_or(tags.unit = '°C') as sparkplug,
           (select bool_and(ended_at is not null) from machine_connections where machine_id = machines.id) as ended
    from machines join tags on tags.machine_id = machines.id
    where machines.owner_user_id = ${owner.userId} group by machines.id`.execute(site.db)
  await expect
    .poll(async () => (await played()).rows.filter(({ ended }) => ended).length, { timeout: 10_000 })
    .toBe(50)
  const { rows } = await played()
  expect(rows).toHaveLength(50)
  expect(rows.filter(({ sparkplug }) => sparkplug)).toHaveLength(35)
  const times = new Map<string, Set<number>>()
  for (const { code, at } of await listLogged(site.db))
    times.set(code, (times.get(code) ?? new Set()).add(at.getTime()))
  expect(rows.every(({ code }) => (times.get(code)?.size ?? 0) >= 2)).toBe(true)

  // Once more: the same machines, in one list once, with secrets that are good again.
  await simulate('--machines', '50', '--for', '1', '--account', owner.email)
  const listed = await site.db
    .selectFrom('machine_list_entries')
    .select('machine_id')
    .where('user_id', '=', owner.userId)
    .execute()
  expect(listed).toHaveLength(50)

  await simulate('--remove')
  const left = await site.db.selectFrom('machines').select('id').execute()
  expect(left).toEqual([{ id: other.machineId }])
  const samples = await sql<{ count: number }>`select count(*)::int as count from samples`.execute(site.db)
  expect(samples.rows).toEqual([{ count: 0 }])
})

test('a platform without the demo is not loaded by mistake', () => {
  expect(() => simulateCommand.prepare(['--machines', '5', '--url', site.mqttUrl])).toThrow(/--force/)
  expect(() => simulateCommand.prepare(['--remove', '--url', site.mqttUrl])).toThrow(/--force/)
})

test.each([
  ['more machines than can be', ['--machines', '50001']],
  ['half a machine', ['--machines', '1.5']],
  ['a rate of nothing', ['--rate', '0']],
  ['an address that is none', ['--url', 'http://localhost']],
])('refuses %s before anything is opened', (_, args) => {
  expect(() => simulateCommand.prepare(['--url', 'mqtt://127.0.0.1:1', ...args, '--force'])).toThrow(
    CommandError,
  )
})
