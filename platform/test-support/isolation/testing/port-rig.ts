import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { AgentPort } from '@busbar/link'
import {
  createMachine,
  createUser,
  grantMachine,
  localPort,
  openAgentTunnel,
  startTestPlatform,
  type TestMachine,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import type { PortVisits } from '../../../src/modules/visits/index.ts'
import { PortAgent, port } from '../../ports/port-agent.ts'
import type { ProgramLine } from '../../ports/program-line.ts'
import { until } from './rig.ts'
import type { AttackedRig } from './vector.ts'

/** A controller behind the real agent: it answers each piece with itself. */
export class Controller {
  readonly sockets: Socket[] = []
  /** The bytes that arrived, by connection. */
  readonly arrived: string[] = []
  readonly server = createServer((socket) => {
    const at = this.sockets.push(socket) - 1
    this.arrived[at] = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      this.arrived[at] += bytes.toString('latin1')
      socket.write(bytes)
    })
  })

  reset(): void {
    for (const socket of this.sockets) socket.destroy()
    this.sockets.length = 0
    this.arrived.length = 0
  }
}

/** A platform with two machines whose ports the victim uses. */
export interface PortRig extends AttackedRig {
  readonly site: TestPlatform
  readonly victim: TestUser
  /** Somebody with a right of their own to look at the ports of both machines. */
  readonly other: TestUser
  /** Its agent is the real one. */
  readonly good: { readonly machine: TestMachine; readonly controller: Controller }
  /** Its agent opens all that the platform asks it to. */
  readonly careless: PortAgent
  /** Lines that are closed before the next attack. */
  readonly lines: ProgramLine[]
}

/** Takes a defence away from a platform that has started. */
export type Weaken = (site: TestPlatform, rig: () => PortRig) => void

export const goodPort = 'plc'
export const carelessPorts: readonly AgentPort[] = [
  port('plc', { kind: 'modbus', look: 'users' }),
  port('192.168.0.10:22', { kind: 'ssh' }),
]

export async function startPortRig(weaken?: Weaken): Promise<PortRig> {
  const site = await startTestPlatform()
  const victim = await createUser(site.db, { name: 'Victim' })
  const other = await createUser(site.db, { name: 'Other' })
  const controller = new Controller()
  controller.server.listen(0, '127.0.0.1')
  await once(controller.server, 'listening')
  const { port: controllerPort } = controller.server.address() as AddressInfo
  const [machine, loose] = [
    await createMachine(site.db, { owner: victim.userId }),
    await createMachine(site.db, { owner: victim.userId }),
  ]
  for (const { machineId } of [machine, loose])
    await grantMachine(site.db, other.userId, machineId, { role: 'bkey' })
  const agent = await openAgentTunnel(site, machine, {
    ports: [localPort(controllerPort, { name: goodPort, kind: 'modbus', look: 'users', connections: 32 })],
  })
  const careless = await PortAgent.open(site, loose, carelessPorts)
  const lines: ProgramLine[] = []
  const rig: PortRig = {
    ...{ site, victim, other, careless, lines },
    good: { machine, controller },
    reset() {
      for (const line of lines.splice(0)) line.ws.terminate()
      controller.reset()
      careless.lines.length = 0
      careless.answer = (line) => line.accept()
    },
    async stop() {
      rig.reset()
      agent.stop()
      careless.tunnel?.close()
      controller.server.close()
      await site.stop()
    },
  }
  weaken?.(site, () => rig)
  return rig
}

/** Replaces how a ticket leads into a visit. */
export const weakEntry =
  (change: (enter: PortVisits['enter'], rig: () => PortRig) => PortVisits['enter']): Weaken =>
  (site, rig) => {
    const { portVisits } = site.platform.visits
    portVisits.enter = change(portVisits.enter.bind(portVisits), rig)
  }

/** The same with other parts; the rest is its own. */
export const changed = <Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole =>
  new Proxy(whole, {
    get(target, name) {
      if (name in parts) return parts[name as keyof Whole]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** Replaces the ports that an agent's list has. */
export const weakList =
  (change: (ports: readonly AgentPort[]) => AgentPort[]): Weaken =>
  ({ platform: { link } }) => {
    const tunnel = link.tunnel.bind(link)
    link.tunnel = async (machineId) => {
      const line = await tunnel(machineId)
      return line && changed(line, { ports: async () => change(await line.ports()) })
    }
  }

/** Sends pieces until the line ends, or several have reached the controller all the same. */
export async function sendOn(line: ProgramLine, controller: Controller, count: number): Promise<void> {
  const arrivals = () => controller.arrived.join('').length
  const before = arrivals()
  for (let sent = 1; sent <= count && line.end === undefined; sent++) {
    line.ws.send(readRequest)
    await until(
      () => line.end !== undefined || arrivals() >= before + sent * readRequest.length,
      'a piece to arrive or a line to end',
    )
  }
}

/** MBAP, and function 3 of one register. */
export const readRequest = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1])
