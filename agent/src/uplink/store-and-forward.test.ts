import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { metricValue, SparkplugDatatype } from '@busbar/link'
import { expect, onTestFinished, test } from 'vitest'
import { startModbusDevice } from '../testing/modbus-device.ts'
import { createFolder } from '../testing/outbox-samples.ts'
import { TestBroker } from '../testing/test-broker.ts'

const code = '1000000000000000001'
const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/** A controller whose register counts its reads: a number that is not sent was lost. */
async function startCounter(): Promise<number> {
  const device = await startModbusDevice()
  onTestFinished(() => device.close())
  let count = 0
  device.memory.holding.get = () => count++
  device.memory.holding.set(0, 0)
  return device.port
}

const connections = (port: number) => `
connections:
  - driver: modbus-tcp
    host: 127.0.0.1
    port: ${port}
    pollIntervalMs: 100
    tags:
      - { name: count, address: "holding:0", type: uint16 }
`

interface Run {
  child: ChildProcess
  output: () => string
  kill(): Promise<void>
}

async function writeConfig(url: string): Promise<string> {
  const path = join(await createFolder(), 'agent.yaml')
  const cloud = `cloud: { url: "${url}", code: "${code}", secret: s }`
  await writeFile(path, cloud + connections(await startCounter()))
  return path
}

function start(config: string): Run {
  const child = spawn(process.execPath, [program, config], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes) => {
      output += bytes
    })
  }
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(kill)
  return { child, output: () => output, kill }
}

/** Every reading that arrived: its time, its value, and whether it came late. */
function readings(broker: TestBroker): { at: number; value: number; isLate: boolean }[] {
  return broker.of('NDATA').flatMap(({ payload }) =>
    payload.metrics.map((metric) => ({
      at: metric.timestamp ?? 0,
      value: Number(metricValue(metric, SparkplugDatatype.uint16)),
      isLate: metric.isHistorical === true,
    })),
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await pause(10)
}

test('killed in an outage, and again while its backlog is not acknowledged: everything comes, and once', async () => {
  let broker = await TestBroker.start()
  onTestFinished(() => broker.close())
  const { port, url } = broker
  const config = await writeConfig(url)
  const first = start(config)
  await broker.until(() => readings(broker).length >= 5)
  await broker.close()
  const before = readings(broker)
  const brokeAt = Date.now()
  await until(() => first.output().includes('uplink.offline'))
  await pause(2_500)
  // Younger samples may not be written yet.
  const writtenUntil = Date.now() - 1_000
  await first.kill()
  const killedAt = Date.now()

  broker = await TestBroker.start(port)
  broker.unacknowledged.add('NDATA')
  const second = start(config)
  await broker.until(() => readings(broker).some(({ isLate }) => isLate))
  // Time enough to delete what was sent, for an agent that does not wait for the acknowledgement.
  await pause(300)
  await second.kill()
  await broker.close()

  broker = await TestBroker.start(port)
  const third = start(config)
  await until(() => third.output().includes('uplink.backlogSent'))
  const after = readings(broker).filter(({ at }) => at < killedAt)
  expect(after.every(({ isLate }) => isLate)).toBe(true)
  expect(after.filter(({ at }) => at >= brokeAt && at < writtenUntil).length).toBeGreaterThan(5)

  // Samples read while the line was built up come after those that were live then.
  const told = [...before, ...after].sort((one, other) => one.at - other.at)
  const values = told.filter(({ at }) => at < writtenUntil).map(({ value }) => value)
  const firstValue = values[0] ?? 0
  const lastValue = values.at(-1) ?? 0
  expect([...new Set(values)]).toEqual(
    Array.from({ length: lastValue - firstValue + 1 }, (_, index) => firstValue + index),
  )
  // Only samples being sent when the line broke may come twice.
  expect(values.length - new Set(values).size).toBeLessThanOrEqual(2)
  const stopped = once(third.child, 'exit')
  third.child.kill('SIGTERM')
  expect((await stopped)[0]).toBe(0)
  await broker.close()
})

test('a second agent on the same outbox says so and ends, before it reads anything', async () => {
  const broker = await TestBroker.start()
  onTestFinished(() => broker.close())
  const config = await writeConfig(broker.url)
  const first = start(config)
  await broker.until(() => broker.of('NBIRTH').length === 1)
  const second = start(config)
  expect((await once(second.child, 'exit'))[0]).toBe(1)
  expect(second.output()).toContain(`in use by another agent (process ${first.child.pid})`)
  expect(second.output()).not.toContain('agent.started')
})
