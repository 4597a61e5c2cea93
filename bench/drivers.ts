import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOpcUaServer, testNamespace } from '@busbar/agent/testing/opcua-server.ts'
import { startPymodbus } from '@busbar/agent/testing/plc/pymodbus.ts'
import { startSnap7 } from '@busbar/agent/testing/plc/snap7.ts'
import { TestBroker } from '@busbar/agent/testing/test-broker.ts'
import { startProgram } from '../e2e/src/program.ts'
import { checkout } from '../e2e/src/site.ts'
import { describeMachine, printRows, type Row } from './src/report.ts'

/* The built agent with 2,000 tags at one second, by each driver from a third-party server: processor time and
   resident memory, while every value changes each second and while none does. The optional argument names one
   driver; --tags=N changes the number of tags. */

const { values: options, positionals } = parseArgs({
  options: { tags: { type: 'string', default: '2000' } },
  allowPositionals: true,
})
const tagsCount = Number(options.tags)
const warmUpMs = 8_000
const changingMs = 20_000
const stillMs = 12_000
/** A value of each tag and second, less what the edges of the time cost. */
const arrivedLeast = 0.9
/** The agent's limit for this many tags; the others are without one. */
const promised = { tags: 200, megabytes: 110 }

/** A server whose 2,000 values are set together. */
interface Controller {
  /** The connection with its tags, as YAML. */
  readonly connection: string
  set(value: number): Promise<void>
  stop(): Promise<void>
}

function connectionOf(fields: Record<string, string | number>, tagOf: (index: number) => string): string {
  const tags = Array.from({ length: tagsCount }, (_, index) => `      - { name: t${index}, ${tagOf(index)} }`)
  const lines = Object.entries(fields).map(([key, value]) => `    ${key}: ${value}`)
  return ['  - pollIntervalMs: 1000', ...lines, '    tags:', ...tags].join('\n')
}

async function startModbus(driver: 'modbus-tcp' | 'modbus-rtu'): Promise<Controller> {
  const server = await startPymodbus()
  const port = driver === 'modbus-tcp' ? server.tcpPort : server.rtuPort
  return {
    connection: connectionOf(
      { driver, host: '127.0.0.1', port },
      (index) => `address: "holding:${index * 2}", type: float32`,
    ),
    async set(value) {
      const bytes = Buffer.alloc(4)
      bytes.writeFloatBE(value)
      const pair = [bytes.readUInt16BE(0), bytes.readUInt16BE(2)]
      await server.set('holding', 0, Array.from({ length: tagsCount }, () => pair).flat())
    },
    stop: () => server.stop(),
  }
}

async function startOpcUa(): Promise<Controller> {
  const server = await startOpcUaServer()
  for (let index = 0; index < tagsCount; index++) server.add(`t${index}`, 'Float', 0)
  return {
    connection: connectionOf(
      { driver: 'opcua', url: server.url, security: 'SignAndEncrypt', trust: 'first' },
      (index) => `nodeId: "nsu=${testNamespace};s=t${index}"`,
    ),
    async set(value) {
      for (let index = 0; index < tagsCount; index++) server.set(`t${index}`, value)
    },
    stop: () => server.close(),
  }
}

async function startS7(): Promise<Controller> {
  const server = await startSnap7({ blocks: { 1: tagsCount * 4 } })
  return {
    connection: connectionOf(
      { driver: 's7', host: '127.0.0.1', port: server.port, slot: 2 },
      (index) => `address: "DB1,REAL${index * 4}"`,
    ),
    async set(value) {
      const bytes = Buffer.alloc(tagsCount * 4)
      for (let index = 0; index < tagsCount; index++) bytes.writeFloatBE(value, index * 4)
      await server.set('DB', 1, 0, bytes)
    },
    stop: () => server.stop(),
  }
}

const controllers: Record<string, () => Promise<Controller>> = {
  'Modbus TCP': () => startModbus('modbus-tcp'),
  'Modbus RTU over TCP': () => startModbus('modbus-rtu'),
  'OPC UA, encrypted': startOpcUa,
  'S7, messages of 240 bytes': startS7,
}

/** Processor time of a process in s, of user and kernel. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Clock ticks, a hundred in a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function residentMegabytes(pid: number, which: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function measure(name: string, controller: Controller, agentPath: string): Promise<Row[]> {
  const broker = await TestBroker.start()
  const folder = await mkdtemp(join(tmpdir(), 'busbar-bench-drivers-'))
  const configPath = join(folder, 'agent.yaml')
  const cloud = `{ url: "${broker.url}", code: "1000000000000000001", secret: s }`
  await writeFile(configPath, `cloud: ${cloud}\nconnections:\n${controller.connection}\n`)
  let value = 0
  await controller.set(value)
  const agent = await startProgram([agentPath, configPath])
  let values = 0
  /** Counts what arrived and forgets it: here it would take the memory of the receiver only. */
  const count = (): void => {
    for (const { type, payload } of broker.arrivals.splice(0))
      if (type === 'NDATA') values += payload.metrics.length
  }
  async function run(ms: number, step: () => Promise<void>) {
    count()
    values = 0
    const from = await processorSeconds(agent.pid)
    const beganAt = performance.now()
    for (let second = 1; performance.now() - beganAt < ms; second++) {
      await step()
      count()
      await pause(Math.max(0, beganAt + second * 1_000 - performance.now()))
    }
    const seconds = (performance.now() - beganAt) / 1_000
    count()
    return {
      perMinute: ((await processorSeconds(agent.pid)) - from) * (60 / seconds),
      perSecond: values / seconds,
    }
  }
  try {
    const change = () => controller.set(++value)
    await run(warmUpMs, change)
    const changing = await run(changingMs, change)
    const still = await run(stillMs, async () => undefined)
    const [now, most] = [
      await residentMegabytes(agent.pid, 'VmRSS'),
      await residentMegabytes(agent.pid, 'VmHWM'),
    ]
    return [
      {
        what: `${name}: processor time, all values change`,
        figure: `${changing.perMinute.toFixed(1)} s a minute (${((changing.perMinute / 60) * 100).toFixed(1)} % of a core)`,
        target: '',
      },
      {
        what: 'values that arrived',
        figure: `${Math.round(changing.perSecond).toLocaleString('en')} a second`,
        target: 'all',
        met: changing.perSecond >= tagsCount * arrivedLeast,
      },
      {
        what: 'processor time, no value changes',
        figure: `${still.perMinute.toFixed(1)} s a minute (${((still.perMinute / 60) * 100).toFixed(1)} % of a core)`,
        target: '',
      },
      {
        what: 'resident memory at the end, at most',
        figure: `${now.toFixed(0)} MB, ${most.toFixed(0)} MB`,
        ...(tagsCount <= promised.tags
          ? { target: `< ${promised.megabytes} MB`, met: now < promised.megabytes }
          : { target: '' }),
      },
    ]
  } finally {
    await agent.stop()
    await broker.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const [wanted] = positionals
console.log(describeMachine())
const agentPath = join(checkout, 'agent/dist/busbar-agent.mjs')
const rows: Row[] = []
for (const [name, start] of Object.entries(controllers)) {
  if (wanted !== undefined && !name.toLowerCase().includes(wanted.toLowerCase())) continue
  const controller = await start()
  try {
    rows.push(...(await measure(name, controller, agentPath)))
  } finally {
    await controller.stop()
  }
}
printRows(rows)
