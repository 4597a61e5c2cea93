import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decodeSparkplugPayload } from '@busbar/link'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../testkit/src/free-port.ts'
import { calmMsOf } from '../../testkit/src/until.ts'
import { parseDemoPlan } from './demo-plan.ts'
import { historyMostMs } from './history.ts'
import { demoTank, profiles } from './profiles/index.ts'
import { type Listener, listen, startTestBroker, type TestBroker } from './testing/test-broker.ts'

const endMsMax = 3_000
/** At rest it takes 116 to 122 MB. */
const memoryMbMax = 130

let broker: TestBroker
let listener: Listener
let dir: string

beforeAll(async () => {
  broker = await startTestBroker()
  listener = await listen(broker.url, ['spBv1.0/#', 'v1/devices/me/#'])
  dir = await mkdtemp(path.join(tmpdir(), 'simulator-'))
})
afterAll(async () => {
  await listener.client.endAsync(true)
  await broker.stop()
  await rm(dir, { recursive: true })
})

async function startProcess(plan: unknown, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const file = path.join(dir, `${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify(plan))
  return spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), file], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  })
}

async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

async function wholeDemo(fillHistory: boolean) {
  const machines = [...profiles, demoTank].map((profile, index) => ({
    code: profile === demoTank ? '0'.repeat(19) : `17291543648808726${String(index).padStart(2, '0')}`,
    secret: `secret-${index}`,
    trade: profile.id,
    outages: [],
  }))
  const modbus = { host: '127.0.0.1', port: await findFreePort() }
  return { mqttUrl: broker.url, madeAt: Date.now(), fillHistory, machines, modbus }
}

test('the whole demo runs in one small process, with its past, and stops quickly', async () => {
  const plan = await wholeDemo(true)
  const child = await startProcess(plan)
  const [ready] = await once(child, 'message')
  expect(ready).toMatchObject({ type: 'ready', modbusPort: expect.any(Number) })
  const births = () =>
    new Set(listener.heard.filter(({ topic }) => topic.includes('/NBIRTH/')).map(({ topic }) => topic))
  const attributes = () => listener.heard.filter(({ topic }) => topic === 'v1/devices/me/attributes')
  await listener.until(() => births().size === 10 && attributes().length === 3)
  // It is a little more while the past is simulated; the remaining use matters.
  await expect.poll(() => residentMb(child), { timeout: 30_000, interval: 500 }).toBeLessThan(memoryMbMax)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await calmMsOf(() => exit)).toBeLessThan(endMsMax)
  expect(await exit).toEqual([0, null])
  await listener.until(({ topic }) => topic.includes('/NDEATH/'))
})

test('a past that was cut by a kill continues from there, each instant exactly once', async () => {
  const plan = { ...(await wholeDemo(true)), memoryFile: path.join(dir, 'memory.json') }
  const [{ code = '' } = {}] = plan.machines
  const since = listener.heard.length
  const told = () =>
    listener.heard
      .slice(since)
      .filter(({ topic }) => topic === `spBv1.0/busbar/NDATA/${code}`)
      .flatMap(({ payload }) => decodeSparkplugPayload(payload).metrics)
      .filter(({ alias, isHistorical }) => alias === 1 && isHistorical)
      .map(
        ({ timestamp, raw }) =>
          [Number(timestamp), JSON.stringify(raw, (_, v) => (typeof v === 'bigint' ? `${v}` : v))] as const,
      )
  const first = await startProcess(plan)
  // Its memory records a part as acknowledged, not all.
  await expect
    .poll(async () => toldFromAt(plan.memoryFile, code), { timeout: 10_000, interval: 5 })
    .toBeLessThan(plan.madeAt)
  first.kill('SIGKILL')
  await once(first, 'exit')
  const toldBefore = await toldFromAt(plan.memoryFile, code)

  const second = await startProcess(plan)
  await expect
    .poll(() => toldFromAt(plan.memoryFile, code), { timeout: 10_000 })
    .toBe(plan.madeAt - historyMostMs)
  const exit = once(second, 'exit')
  second.kill('SIGTERM')
  await exit
  const values = new Map<number, string>()
  let twice = 0
  for (const [at, value] of told()) {
    if (values.has(at)) {
      twice += 1
      // Samples acknowledged but not yet remembered are sent again, with the same values.
      expect([at < toldBefore, values.get(at)]).toEqual([true, value])
    }
    values.set(at, value)
  }
  expect(values.size).toBe(360 + 23 * 60 + 6 * 24 * 6 + 1 - (plan.madeAt % 10_000 === 0 ? 0 : 1))
  expect(twice).toBeLessThan(values.size)

  const births = () =>
    listener.heard.slice(since).filter(({ topic }) => topic === `spBv1.0/busbar/NBIRTH/${code}`).length
  const [count, seen] = [told().length, births()]
  const third = await startProcess(plan)
  await expect.poll(births, { timeout: 10_000 }).toBeGreaterThan(seen)
  const end = once(third, 'exit')
  third.kill('SIGTERM')
  await end
  expect(told()).toHaveLength(count)
})

async function toldFromAt(file: string, code: string): Promise<number> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as {
      machines: Record<string, { toldFromAt?: number } | undefined>
    }
    return kept.machines[code]?.toldFromAt ?? Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

test('a child ends with its parent, even where no broker answers', async () => {
  const plan = { ...(await wholeDemo(false)), mqttUrl: 'mqtt://127.0.0.1:1' }
  const child = await startProcess(plan, { BUSBAR_CHILD: '1' })
  await once(child, 'message')
  const exit = once(child, 'exit')
  child.disconnect()
  expect(await calmMsOf(() => exit)).toBeLessThan(endMsMax)
  expect(await exit).toEqual([0, null])
})

test('a plan that is wrong is refused by the name of the field, without its secrets', async () => {
  const plan = await wholeDemo(false)
  const machines = [{ ...plan.machines[0], code: 123 }]
  expect(() => parseDemoPlan({ ...plan, machines })).toThrow('machines[0].code: not a text')
  expect(() => parseDemoPlan({ ...plan, mqttUrl: '' })).toThrow('mqttUrl: not a text')
  expect(() => parseDemoPlan({ ...plan, madeAt: null })).toThrow('madeAt: not a number')
  const child = await startProcess({ ...plan, machines: [{ ...plan.machines[0], trade: 'loom' }] })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(said).toBe('simulator: unknown trade: loom\n')
})
