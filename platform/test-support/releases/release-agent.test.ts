import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ModbusDevice, startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { machines, telemetry, visits } from '@busbar/contract'
import { decodeSparkplugPayload } from '@busbar/link'
import { enterVisit, type TestMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkOutFormer, hasCommit } from '../processes/former-checkout.ts'
import { type Release, recordedCode, releaseFile, releases } from './releases.ts'

const soon = { timeout: 10_000, interval: 50 }

/** An agent's MQTT connection as it was recorded; payloads are hexadecimal. */
interface Recording {
  readonly connect: {
    readonly protocolVersion: 4
    readonly clean: boolean
    readonly keepalive: number
    readonly clientId: string
    readonly will: {
      readonly topic: string
      readonly qos: 0 | 1
      readonly retain: boolean
      readonly payload: string
    }
  }
  readonly subscribes: readonly { readonly topic: string; readonly qos: 0 | 1 }[]
  readonly steps: readonly {
    readonly step: string
    readonly publishes: readonly { readonly topic: string; readonly qos: 0 | 1; readonly payload: string }[]
  }[]
}

let owner: TestUser
let machine: TestMachine
/** The instant that the platform's clock shows; unset: the time of day. */
let now: number | undefined
const cleanups: (() => Promise<unknown> | unknown)[] = []

const site = useSite({}, { now: () => now ?? Date.now() })
beforeEach(async () => {
  now = undefined
  owner = await site.createUser()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function tagsByName() {
  const tags = await site.as(owner).call(telemetry.listTags, { machineId: machine.machineId })
  return new Map(tags.map((tag) => [tag.name, tag.tagId]))
}

async function latest() {
  const names = new Map([...(await tagsByName())].map(([name, tagId]) => [tagId, name]))
  const values = await site.as(owner).call(telemetry.listLatest, { machineId: machine.machineId })
  return Object.fromEntries(values.map(({ tagId, value }) => [names.get(tagId), value]))
}

async function openAlarms() {
  const listed = await site.as(owner).call(machines.listMachines, { version: '' })
  return 'list' in listed && listed.list.find((item) => item.machine_id === machine.machineId)?.openAlarms
}

async function lastWrite() {
  const { list } = await site
    .as(owner)
    .call(visits.listMachineWrites, { machineId: machine.machineId, page: 1 })
  return list[0]
}

async function write(name: string, value: number | boolean): Promise<void> {
  const tagId = (await tagsByName()).get(name)
  if (tagId === undefined) throw new Error(`there is no tag ${name}`)
  await site.as(owner).call(telemetry.writeTag, { machineId: machine.machineId, tagId, value })
}

describe.each(releases)('the messages of an agent of $version', (release) => {
  let client: MqttClient
  let recording: Recording
  const commands: Buffer[] = []

  async function connect(): Promise<void> {
    const { will, ...options } = recording.connect
    client = await connectAsync(site.mqttUrl, {
      ...options,
      username: machine.code,
      password: machine.secret,
      will: { ...will, payload: Buffer.from(will.payload, 'hex') },
      reconnectPeriod: 0,
    })
    client.on('message', (_topic, payload) => commands.push(payload))
    for (const { topic, qos } of recording.subscribes) await client.subscribeAsync(topic, { qos })
  }

  /** Sends the messages of a step; resolves when all of them are acknowledged. */
  async function play(name: string): Promise<void> {
    const step = recording.steps.find((known) => known.step === name)
    if (!step) throw new Error(`${name} was not recorded`)
    for (const { topic, qos, payload } of step.publishes) {
      const bytes = Buffer.from(payload, 'hex')
      now = Number(decodeSparkplugPayload(bytes).timestamp)
      await client.publishAsync(topic, bytes, { qos })
    }
  }

  beforeEach(async () => {
    recording = JSON.parse(await readFile(releaseFile(release, 'agent.json'), 'utf8'))
    machine = await site.createMachine({ code: recordedCode, owner: owner.userId })
    commands.length = 0
    await connect()
  })
  afterEach(async () => {
    await client.endAsync(true)
    await site.db.deleteFrom('machines').where('id', '=', machine.machineId).execute()
  })

  test('are understood: births, values, alarms, read-backs, a backlog, and the end', async () => {
    await play('birth')
    expect(await latest()).toEqual({
      Temperature: 61.5,
      'Set-point': 62,
      running: false,
      Overheat: false,
    })
    await play('change')
    expect(await latest()).toMatchObject({ Temperature: 63.1, running: true })
    await play('alarm raised')
    expect(await openAlarms()).toBe(1)
    await play('alarm cleared')
    expect(await openAlarms()).toBe(0)

    await write('Set-point', 62.5)
    await vi.waitFor(() => expect(commands).toHaveLength(1), soon)
    await play('write of the set-point to 62.5')
    await vi.waitFor(
      async () => expect(await lastWrite()).toMatchObject({ to: 62.5, state: 'confirmed' }),
      soon,
    )
    await write('running', false)
    await vi.waitFor(() => expect(commands).toHaveLength(2), soon)
    await play('write of the switch to false')
    await vi.waitFor(
      async () => expect(await lastWrite()).toMatchObject({ to: false, state: 'confirmed' }),
      soon,
    )

    await client.endAsync(true)
    await connect()
    await play('line back')
    expect(await latest()).toMatchObject({ Temperature: 72 })
    const tagId = (await tagsByName()).get('Temperature') ?? 0
    const { series } = await site.as(owner).call(telemetry.getHistory, {
      tagIds: [tagId],
      from: (now ?? 0) - 60_000,
      to: (now ?? 0) + 60_000,
      agg: 'raw',
      points: 100,
    })
    const values = series[0]?.points.map((point) => point[1])
    expect(values).toEqual([61.5, 63.1, 65, 66, 67, 68, 69, 70, 71, 72, 72])
    await play('stop')
    await vi.waitFor(
      () => expect(site.platform.gateway.presence.isOnline(machine.machineId)).toBe(false),
      soon,
    )
  })
})

describe.each(releases)('the packaged agent of $version', (release) => {
  let device: ModbusDevice

  beforeEach(async () => {
    machine = await site.createMachine({ owner: owner.userId })
    device = await startModbusDevice()
    cleanups.push(() => device.close())
    for (const address of [0, 100]) device.memory.holding.set(address, 620)
    device.memory.coil.set(0, 0)
  })

  // A clone without history cannot make it.
  test.skipIf(!hasCommit(release.commit))('serves values, takes writes and shows its page', async () => {
    await startAgentOf(release, device)
    await vi.waitFor(
      async () => expect(await latest()).toEqual({ temperature: 62, sp: 62, running: false }),
      soon,
    )
    device.memory.holding.set(0, 635)
    await vi.waitFor(async () => expect(await latest()).toMatchObject({ temperature: 63.5 }), soon)

    await write('sp', 62.5)
    await vi.waitFor(() => expect(device.memory.holding.get(100)).toBe(625), soon)
    await vi.waitFor(
      async () => expect(await lastWrite()).toMatchObject({ to: 62.5, state: 'confirmed' }),
      soon,
    )
    await write('running', true)
    await vi.waitFor(() => expect(device.memory.coil.get(0)).toBe(1), soon)

    await vi.waitFor(() => expect(site.platform.tunnels.find(machine.machineId)).toBeDefined(), soon)
    const visit = await enterVisit(site, owner, machine)
    const page = await visit.request('/')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<html')
  })
})

/** Builds a release's agent from its commit, as it was packaged, and runs it until the test ends. */
async function startAgentOf(release: Release, device: ModbusDevice): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-agent-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  await checkOutFormer(release.commit, folder)
  const { buildAgent } = (await import(pathToFileURL(join(folder, 'agent/build.mjs')).href)) as {
    buildAgent(): Promise<string>
  }
  const program = await buildAgent()
  await writeFile(
    join(folder, 'agent.yaml'),
    `cloud: { url: "${site.mqttUrl}", tunnel: "${site.url.replace('http', 'ws')}/tunnel", code: "${machine.code}", secret: "${machine.secret}" }
connections:
  - driver: modbus-tcp
    host: 127.0.0.1
    port: ${device.port}
    pollIntervalMs: 50
    tags:
      - { name: temperature, address: "holding:0", type: int16, factor: 0.1 }
      - { name: sp, address: "holding:100", type: int16, factor: 0.1, readOnly: false }
      - { name: running, address: "coil:0", readOnly: false }
`,
  )
  const child = spawn(process.execPath, [program, join(folder, 'agent.yaml')], { stdio: 'ignore' })
  cleanups.push(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
}
