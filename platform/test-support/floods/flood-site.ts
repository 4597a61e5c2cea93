import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@busbar/agent/clock.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import type { PageHandler } from '@busbar/agent/tunnel/page-handler.ts'
import { createClient } from '@busbar/contract'
import {
  createMachine,
  createTestDatabase,
  createUser,
  enterVisit,
  localPort,
  type TestDatabase,
  type TestMachine,
  type TestUser,
  type VisitClient,
} from '@busbar/testkit'
import { connectAsync } from 'mqtt'
import { openPorts } from '../ports/program-line.ts'
import { type MainProcess, startMain } from '../processes/main-process.ts'
import { Bystanders } from './bystanders.ts'

const lineEveryMs = 100
const enterTriesMax = 100

/** A page that sends lines for as long as they are read. */
const page: PageHandler = (request, answer) => {
  const out = answer.begin(200, { 'content-type': 'text/plain' })
  if (request.path !== '/lines') return void out.end('page')
  const timer = setInterval(() => {
    if (out.destroyed) clearInterval(timer)
    else out.write('line\n')
  }, lineEveryMs)
}

/** A platform in a process of its own that is to be attacked, and the bystanders of the attack. */
export interface FloodSite {
  readonly database: TestDatabase
  readonly main: MainProcess
  readonly webPort: number
  createBystanders(): Bystanders
  close(): Promise<void>
}

/** `prepare`: writes what the attack needs before the platform starts. */
export async function openFloodSite(
  env: Record<string, string>,
  options: Parameters<typeof startMain>[1] & { prepare?(database: TestDatabase): Promise<void> } = {},
): Promise<FloodSite> {
  const database = await createTestDatabase()
  const { db } = database
  const person = await createUser(db)
  const visited = await createMachine(db, { owner: person.userId })
  const other = await createMachine(db, { owner: person.userId })
  await options.prepare?.(database)
  const main = await startMain({ DATABASE_URL: database.url, ...env }, options)
  const webPort = Number(new URL(main.url).port)
  const controller = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  controller.listen(0, '127.0.0.1')
  await once(controller, 'listening')
  const { port: controllerPort } = controller.address() as AddressInfo
  const tunnel = startAgentTunnel(
    {
      cloud: {
        url: '',
        code: visited.code,
        secret: visited.secret,
        outboxSamplesMax: 1_000,
        tunnel: `${main.url.replace(/^http/, 'ws')}/tunnel`,
      },
      targets: [],
      ports: [localPort(controllerPort, { name: 'plc', kind: 'modbus', look: 'users' })],
    },
    { page, clock: systemClock, log: () => undefined, random: Math.random },
  )
  const visit = await enter(webPort, person, visited)
  const machine = await connectAsync(`mqtt://127.0.0.1:${main.mqttPort}`, {
    username: other.code,
    password: other.secret,
    clientId: other.code,
  })
  const client = createClient({ baseUrl: main.url, lang: () => 'en', token: () => person.token })
  const port = await (await openPorts({ as: () => client }, person, visited.machineId, 'ro')).line()
  if (port.end !== undefined) throw new Error(`the port was not opened: ${port.end}`)
  return {
    database,
    main,
    webPort,
    createBystanders: () => new Bystanders({ visit, port, client, machine }),
    async close() {
      await machine.endAsync(true)
      tunnel.stop()
      controller.close()
      main.child.kill('SIGKILL')
      await once(main.child, 'exit')
      await database.drop()
    },
  }
}

/** Enters after the machine's tunnel is connected. */
async function enter(webPort: number, user: TestUser, machine: TestMachine): Promise<VisitClient> {
  for (let tries = 1; ; tries++) {
    try {
      const entered = await enterVisit({ webPort }, user, machine)
      if ((await entered.request('/')).status === 200) return entered
    } catch (error) {
      if (tries >= enterTriesMax) throw error
    }
    await sleep(100)
  }
}
