import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { access, accounts, visits as contract } from '@busbar/contract'
import { localPort, openAgentTunnel, type TestMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureConnectBuilt } from '../../../tools/build.mjs'

/*
 * busbar-connect as people download it, the platform, and the agent's end of a tunnel: a tool reaches a controller.
 */

const programFile = join(import.meta.dirname, '../../../connect/dist/busbar-connect.mjs')
const deadline = { timeout: 20_000, interval: 20 }

const site = useSite()
let owner: TestUser
let machine: TestMachine
let agent: { stop(): void }
let controller: Server
let network: Server
const onNetwork = new Set<Socket>()
let home = ''
const programs: ChildProcess[] = []

beforeAll(() => ensureConnectBuilt())
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'busbar-program-'))
  controller = await listen(createServer((socket) => socket.on('error', () => undefined).pipe(socket)))
  network = await listen(createServer(carry))
  owner = await site.createUser({ name: 'Lan' })
  machine = await site.createMachine({ owner: owner.userId })
  const { port } = controller.address() as AddressInfo
  agent = await openAgentTunnel(site, machine, {
    ports: [localPort(port, { name: 'plc', kind: 'modbus', look: 'users' })],
  })
})
afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL')
  agent.stop()
  for (const socket of onNetwork) socket.destroy()
  for (const server of [controller, network]) server.close()
  rmSync(home, { recursive: true, force: true })
})

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** The way between the program and the platform, which a test can cut. */
function carry(near: Socket): void {
  const far = connect(Number(new URL(site.url).port), '127.0.0.1')
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    onNetwork.add(one)
    one
      .on('error', () => undefined)
      .on('close', () => {
        onNetwork.delete(one)
        other.destroy()
      })
    one.pipe(other)
  }
}

/** The program with a command, and its lines. */
function run(...args: string[]) {
  const program = spawn(process.execPath, [programFile, ...args, '--json', '--lang', 'en'], {
    env: { HOME: home, PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  const told: Record<string, unknown>[] = []
  createInterface(program.stdout).on('line', (line) => told.push(JSON.parse(line)))
  const exited = once(program, 'exit').then(([code]) => code as number)
  return {
    told,
    exited,
    stop: () => program.kill('SIGTERM'),
    find: (event: string) => told.find((one) => one.event === event),
    until: async (event: string) => {
      await expect.poll(() => told.some((one) => one.event === event), deadline).toBe(true)
      return told.find((one) => one.event === event) ?? {}
    },
  }
}

async function signIn(who = owner): Promise<void> {
  const { port } = network.address() as AddressInfo
  const program = run('login', '--server', `http://localhost:${port}`)
  const { code } = await program.until('signIn')
  const userCode = String(code)
  expect(await site.as(who).call(accounts.scanDeviceCode, { userCode })).toMatchObject({ program: 'connect' })
  await site.as(who).call(accounts.confirmDeviceCode, { userCode, ok: true })
  expect(await program.exited).toBe(0)
}

async function openTool(address: unknown): Promise<Socket> {
  const tool = connect(Number(String(address).split(':').at(-1)), '127.0.0.1')
  tool.on('error', () => undefined)
  await once(tool, 'connect')
  return tool
}

async function ask(tool: Socket, question: string): Promise<string> {
  tool.write(question)
  const [answer] = await once(tool, 'data')
  return String(answer)
}

test('a tool reaches a controller, does not notice a cut network, and is cut with the right', async () => {
  await signIn()
  const program = run('open', machine.code, 'plc')
  const { address } = await program.until('listening')
  const tool = await openTool(address)
  expect(await ask(tool, 'read 40001')).toBe('read 40001')
  for (const socket of onNetwork) socket.destroy()
  await program.until('lineBack')
  expect(await ask(tool, 'read 40002')).toBe('read 40002')
  const closed = new Promise((resolve) => tool.once('close', resolve))
  await site.as(owner).call(access.setCloudService, { machineID: machine.machineId, state: false })
  await closed
  expect(await program.until('ended')).toMatchObject({ target: 'plc', reason: 'cloudOff' })
  expect(await program.exited).toBe(1)
})

test('the end of the program ends its visit, which names the port and its bytes', async () => {
  await signIn()
  const program = run('open', machine.code, 'plc')
  const { address } = await program.until('listening')
  const tool = await openTool(address)
  await ask(tool, 'read 40001')
  tool.end()
  expect(await program.until('closed')).toMatchObject({ reason: 'done', bytesIn: 10, bytesOut: 10 })
  program.stop()
  expect(await program.exited).toBe(0)
  const { list } = await site.as(owner).call(contract.listVisits, { page: 1, pageSize: 20 })
  expect(list).toMatchObject([{ kind: 'tcp', live: false, ports: [{ name: 'plc' }] }])
})

test('a person without a right to the ports is told so', async () => {
  const visitor = await site.createUser({ name: 'Ann' })
  await site.grantMachine(visitor.userId, machine.machineId, { role: 'visitor' })
  await signIn(visitor)
  const program = run('open', machine.code, 'plc')
  expect(await program.exited).toBe(1)
  expect(program.told).toMatchObject([{ event: 'failed', code: 'mayNot' }])
})
