/*
 * Runs in a network of its own, as its root (own-address.test.ts): busbar-connect as people download it gives the loopback
 * interface an address. Arguments: the program, a folder for its user. Says what it saw as one line of JSON.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startSnap7 } from '../../../agent/src/testing/plc/snap7.ts'
import { writeSession } from '../session-file.ts'
import { FakePlatform } from './fake-platform.ts'

const [programFile = '', home = ''] = process.argv.slice(2)
const address = '10.99.0.2'
const env = { HOME: home, PATH: process.env.PATH ?? '' }
const waitMs = 20_000

const controller = await startSnap7({ port: 102, blocks: { 1: 64 } })
const platform = await FakePlatform.start(controller.port)
const plc = { kind: 's7', note: '', roundTripMs: null, mayChange: true, mayLook: true }
platform.answers
  .set('POST /api/device/v1/detail/page', () => ({
    list: [{ deviceId: 1, alias: 'Press 4', machineCode: '1'.repeat(19), online: true }],
  }))
  .set('POST /api/enterprises/userEnterpriseList', () => [])
  .set('GET /api/v1/visits/ports', () => ({
    ports: [
      { ...plc, name: 'plc' },
      { ...plc, name: 'hmi', kind: 'other' },
    ],
  }))
  .set('DELETE /api/v1/visits/7', () => ({}))
await writeSession({ env, platform: 'linux' }, { server: platform.url, token: 'the-token', terminal: 'here' })

const hasAddress = () => (networkInterfaces().lo ?? []).some((own) => own.address === address)
async function until(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + waitMs; performance.now() < end; ) {
    if (isSo()) return true
    await sleep(20)
  }
  return false
}

/** The program with `open`, in a process group of its own. */
function open(...args: string[]) {
  return start([], args)
}

/** `before`: a command that runs the program. */
function start(before: readonly string[], args: readonly string[]) {
  const words = [
    ...before,
    process.execPath,
    programFile,
    'open',
    'Press 4',
    ...args,
    '--json',
    '--lang',
    'en',
  ]
  const [command = '', ...rest] = words
  const program = spawn(command, rest, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const told: Record<string, unknown>[] = []
  createInterface(program.stdout).on('line', (line) => told.push(JSON.parse(line)))
  const closed = once(program, 'close')
  return {
    pid: program.pid ?? 0,
    told,
    exited: closed.then(([code]) => code as number | null),
    stop: () => program.kill('SIGTERM'),
    opens: () => until(() => told.some(({ event }) => event === 'listening' || event === 'failed')),
  }
}

/** The parts of this computer that answer another one, of a network beside this, at the added address. */
async function findAnswersOutside(): Promise<{ echo: boolean; port: boolean }> {
  const outside = spawn('unshare', ['-n', 'sleep', '600'])
  try {
    const inOutside = ['-t', String(outside.pid), '-n']
    const isApart = () => {
      const list = execFileSync('nsenter', [...inOutside, 'ip', '-br', 'link'], { encoding: 'utf8' })
      return !list.includes('UNKNOWN')
    }
    await until(isApart)
    const ip = (...args: string[]) => execFileSync('ip', args)
    const ipOutside = (...args: string[]) => execFileSync('nsenter', [...inOutside, 'ip', ...args])
    ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(outside.pid))
    ip('addr', 'add', '192.0.2.1/24', 'dev', 'near')
    ip('link', 'set', 'near', 'up')
    ipOutside('addr', 'add', '192.0.2.2/24', 'dev', 'far')
    ipOutside('link', 'set', 'far', 'up')
    ipOutside('route', 'add', `${address}/32`, 'via', '192.0.2.1')
    // The set-up of an S7 connection; says whether anything answers it.
    const asks = `
      const tool = require('node:net').connect(Number(process.argv[1]), '${address}')
      tool.write(Buffer.from('0300001611e00000000100c0010ac1020100c2020102', 'hex'))
      tool.on('data', () => { console.log('answered'); process.exit() })
      tool.on('error', () => process.exit()).on('close', () => process.exit())`
    const ask = async (port: number) => {
      const words = [...inOutside, process.execPath, '-e', asks, String(port)]
      const { stdout } = await promisify(execFile)('nsenter', words, { timeout: waitMs })
      return stdout.includes('answered')
    }
    const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, address)
    await once(echo, 'listening')
    const answers = { echo: await ask((echo.address() as AddressInfo).port), port: await ask(102) }
    echo.close()
    return answers
  } finally {
    outside.kill('SIGKILL')
  }
}

const seen: Record<string, unknown> = {}

// A client of snap7 reads and writes at port 102 of the address.
await controller.set('DB', 1, 0, Buffer.from('0102030405060708', 'hex'))
const first = open('plc', '--address', address)
await first.opens()
seen.told = first.told.map(({ event, address: at }) => [event, at])
const tool = await controller.connectTool(102, address)
seen.read = (await tool.get('DB', 1, 0, 8)).toString('hex')
seen.written = await tool.set(1, 0, Buffer.from('ffff', 'hex'))
seen.inController = (await controller.get('DB', 1, 0, 2)).toString('hex')
seen.outside = await findAnswersOutside()

// A second one may not have it too.
const second = open('plc', '--address', address)
seen.secondCode = await second.exited
seen.second = second.told.at(-1)?.code
seen.stillHas = hasAddress()

first.stop()
seen.firstCode = await first.exited
seen.hasAfterEnd = hasAddress()

// Killed alone, its holder of rights removes the address.
const killed = open('plc', '--address', address)
await killed.opens()
process.kill(killed.pid, 'SIGKILL')
seen.goneAfterKill = await until(() => !hasAddress())

// Killed with its holder, the next start does.
const crashed = open('plc', '--address', address)
await crashed.opens()
process.kill(-crashed.pid, 'SIGKILL')
await crashed.exited
seen.leftByCrash = hasAddress()
const next = open('plc')
await next.opens()
seen.hasAfterNext = hasAddress()
next.stop()
await next.exited

// A port whose number nobody knows has to be named.
const unknown = open('hmi', '--address', address)
seen.unknownCode = await unknown.exited
seen.unknown = unknown.told.at(-1)?.code

// Without the permission for ports below 1024, a free one is named, and nobody is asked for rights in vain.
const withoutRights = ['setpriv', '--bounding-set', '-all']
for (const args of [['plc:502'], ['plc', '--address', address]]) {
  const denied = start(withoutRights, args)
  await denied.exited
  seen[`denied ${args[0]}`] = denied.told
}
seen.hasAtEnd = hasAddress()

await platform.stop()
await controller.stop()
console.log(JSON.stringify(seen))
// Sockets of snap7's client may still be open.
process.exit()
