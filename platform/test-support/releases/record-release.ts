/**
 * Records what a release leaves behind for later versions, when it is closed: `node record-release.ts BACKUP FOLDER`, with a
 * backup of its demo. Writes the backup, the answers that people get from its data, and the messages of its agent, and
 * prints the line of `releases.ts`. What was recorded is never changed again.
 */
import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { createClient, telemetry } from '@busbar/contract'
import {
  createMachine,
  createTestDatabase,
  createUser,
  signIn,
  startTestAgent,
  startTestPlatform,
  startTestPlatformOn,
} from '@busbar/testkit'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { type Packet, parser } from 'mqtt-packet'
import { demoAccounts } from '../../src/demo/demo.ts'
import { restore } from '../../src/kernel/database/backup.ts'
import { listMigrations } from '../../src/kernel/database/migrate.ts'
import { readAnswers } from './read-answers.ts'
import { recordedCode } from './releases.ts'

/** For a message and its acknowledgement on a quiet machine. */
const settleMs = 700
/** While the line is away, each value of the backlog has to be read by itself. */
const pollMs = 400

const [backupFile, folder] = process.argv.slice(2)
if (!backupFile || !folder) throw new Error('node record-release.ts BACKUP FOLDER')
const backupAt = Math.floor((await stat(backupFile)).mtimeMs / 1000) * 1000

await mkdir(folder, { recursive: true })
await copyFile(backupFile, join(folder, 'busbar.backup'))
const endPostgres = await startTestPostgres()
try {
  await writeFile(join(folder, 'answers.json'), JSON.stringify(await recordAnswers(backupFile)))
  await writeFile(join(folder, 'agent.json'), JSON.stringify(await recordAgent(), null, 1))
} finally {
  await endPostgres()
}
const migrations = (await listMigrations()).length
console.log(
  `{ version: '…', commit: '…', migrations: ${migrations}, backupAt: Date.parse('${new Date(backupAt).toISOString()}') },`,
)

async function recordAnswers(file: string): Promise<Record<string, unknown>> {
  const database = await createTestDatabase()
  await restore(file, database.db)
  // The clock stands on the day of the backup, so that no data is older than its retention.
  const site = await startTestPlatformOn(database, {}, { now: () => backupAt })
  const answers: Record<string, unknown> = {}
  for (const email of Object.values(demoAccounts)) {
    const person = await database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const { token } = await signIn(database.db, person.id)
    const client = createClient({ baseUrl: site.url, lang: () => 'cn', token: () => token })
    answers[email] = await readAnswers(client, backupAt)
  }
  await site.stop()
  await database.drop()
  return answers
}

/** A relay that keeps what an agent says, in steps. */
async function startRelay(mqttPort: number) {
  const steps: { step: string; publishes: object[] }[] = []
  const begun: { connect?: object; subscribes: object[] } = { subscribes: [] }
  const sockets = new Set<Socket>()
  let isOpen = true
  const note = (packet: Packet) => {
    if (packet.cmd === 'connect' && !begun.connect) {
      const { protocolVersion, clean, keepalive, clientId, will } = packet
      const payload = Buffer.from(will?.payload ?? '').toString('hex')
      begun.connect = {
        ...{ protocolVersion, clean, keepalive, clientId },
        will: { topic: will?.topic, qos: will?.qos, retain: will?.retain ?? false, payload },
      }
    }
    if (packet.cmd === 'subscribe' && begun.subscribes.length === 0)
      begun.subscribes.push(...packet.subscriptions.map(({ topic, qos }) => ({ topic, qos })))
    if (packet.cmd === 'publish')
      steps.at(-1)?.publishes.push({
        ...{ topic: packet.topic, qos: packet.qos },
        payload: Buffer.from(packet.payload).toString('hex'),
      })
  }
  const server = createServer((socket) => {
    if (!isOpen) return socket.destroy()
    const other = connect(mqttPort, '127.0.0.1')
    const packets = parser()
    packets.on('packet', note)
    socket.on('data', (bytes) => packets.parse(Buffer.from(bytes)))
    socket.pipe(other).pipe(socket)
    for (const end of [socket, other]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => {
        socket.destroy()
        other.destroy()
        sockets.delete(end)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    begin: (step: string) => steps.push({ step, publishes: [] }),
    setOpen(open: boolean) {
      isOpen = open
      if (!open) for (const socket of sockets) socket.destroy()
    },
    recording: () => ({ ...begun, steps }),
    close: () => server.close(),
  }
}

/** The steps that `release-agent.test.ts` plays. */
async function recordAgent(): Promise<object> {
  const site = await startTestPlatform()
  const owner = await createUser(site.db)
  const machine = await createMachine(site.db, { code: recordedCode, owner: owner.userId })
  const device = await startModbusDevice()
  const { holding, coil } = device.memory
  holding.set(0, 615)
  holding.set(1, 620)
  holding.set(2, 0)
  coil.set(0, 0)
  const relay = await startRelay(site.mqttPort)
  const call = site.as(owner)
  const write = async (name: string, value: number | boolean) => {
    const tag = (await call.call(telemetry.listTags, machine)).find((one) => one.name === name)
    await call.call(telemetry.writeTag, { machineId: machine.machineId, tagId: tag?.tagId ?? 0, value })
  }
  const step = async (name: string, act?: () => unknown) => {
    relay.begin(name)
    await act?.()
    await sleep(settleMs)
  }

  relay.begin('birth')
  const agent = await startTestAgent({
    ...{ mqttUrl: relay.url, machine, modbusPort: device.port },
    tagsYaml: [
      '- { name: temperature, group: zone 1, displayName: { cn: 温度, en: Temperature }, unit: °C, address: "holding:0", type: int16, factor: 0.1, scale: 1 }',
      '- { name: temperature_sp, group: zone 1, displayName: { cn: 温度设定, en: Set-point }, unit: °C, address: "holding:1", type: int16, factor: 0.1, readOnly: false }',
      '- { name: running, address: "coil:0", readOnly: false }',
      '- { name: overheat, displayName: Overheat, address: "holding:2.0", alarm: { id: E1, level: critical, text: { cn: 超温, en: Overheat } } }',
    ],
  })
  await sleep(2 * settleMs)
  await step('change', async () => {
    holding.set(0, 631)
    await sleep(settleMs)
    coil.set(0, 1)
  })
  await step('alarm raised', () => holding.set(2, 1))
  await step('alarm cleared', () => holding.set(2, 0))
  await step('write of the set-point to 62.5', () => write('Set-point', 62.5))
  await step('write of the switch to false', () => write('running', false))
  await step('line lost', async () => {
    relay.setOpen(false)
    for (let register = 650; register <= 720; register += 10) {
      holding.set(0, register)
      await sleep(pollMs)
    }
  })
  relay.begin('line back')
  relay.setOpen(true)
  await sleep(10 * settleMs)
  relay.begin('stop')
  await agent.stop()
  await sleep(settleMs)
  const recording = relay.recording()
  relay.close()
  await device.close()
  await site.stop()
  return recording
}
