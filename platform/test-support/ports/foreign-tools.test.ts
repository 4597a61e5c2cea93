import { execFile, spawnSync } from 'node:child_process'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { countBuffersInHeap } from '@busbar/link'
import { localPort, openAgentTunnel, type TestMachine, type TestUser } from '@busbar/testkit'
import { databaseEnd, FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import modbusSerial from 'modbus-serial'
import { OPCUACertificateManager } from 'node-opcua-certificate-manager'
import { AttributeIds, OPCUAClient } from 'node-opcua-client'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startOpcUaServer,
  type TestOpcUaServer,
  testNamespace,
} from '../../../agent/src/testing/opcua-server.ts'
import { type Pymodbus, startPymodbus } from '../../../agent/src/testing/plc/pymodbus.ts'
import { type Snap7, startSnap7 } from '../../../agent/src/testing/plc/snap7.ts'
import { ensureConnectBuilt } from '../../../tools/build.mjs'
import { ConnectProgram } from './connect-program.ts'
import { type ForeignServer, needed, type Sshd, startSshd, startVncServer } from './foreign-servers.ts'
import { openRelay } from './relay.ts'

/*
 * Tools and servers that nobody here wrote, through busbar-connect as people download it, the platform, the tunnel and
 * the agent: Modbus by mbpoll, pymodbus and modbus-serial, PostgreSQL by psql and node-postgres, OPC UA by node-opcua, SSH by
 * OpenSSH, VNC by vncsnapshot and x11vnc, S7 by snap7 at port 102 of an added address.
 */

const run = promisify(execFile)
const toolMsMax = 30_000
const copyMsMax = 240_000
const copiedRows = 4_000
const copyStatement = `copy (select n, repeat(md5(n::text), 32) from generate_series(1, ${copiedRows}) n) to stdout`

/** A master of pymodbus that reads, writes, and reads again; it prints one line of JSON. */
const pymodbusMaster = `
import json, sys
from pymodbus.client import ModbusTcpClient
client = ModbusTcpClient("127.0.0.1", port=int(sys.argv[1]), timeout=30)
assert client.connect()
before = client.read_holding_registers(20, 3, slave=1).registers
written = client.write_registers(20, [7, 8, 9], slave=1)
after = client.read_holding_registers(20, 3, slave=1).registers
print(json.dumps([before, written.isError(), after]))
client.close()
`

const site = useSite()
let owner: TestUser
let machine: TestMachine
let controller: Pymodbus
let opcua: TestOpcUaServer
let database: FaultyLine
let s7: Snap7
let sshd: Sshd
let vnc: ForeignServer
let agent: { stop(): void }
let program: ConnectProgram
let token: string
/** Of the OPC UA client, and of files to copy. */
let folder: string

beforeAll(async () => {
  // As platform and agent do in processes of their own: a worker's large heap would be searched again and again.
  countBuffersInHeap()
  await ensureConnectBuilt()
  folder = await mkdtemp(join(tmpdir(), 'busbar-tools-'))
  owner = await site.createUser()
  machine = await site.createMachine({ owner: owner.userId })
  controller = await startPymodbus()
  await controller.set('holding', 10, [101, 102, 103])
  opcua = await startOpcUaServer({ onlyPlain: true, variables: { speed: ['Double', 42.5] } })
  // The tests' PostgreSQL may listen on a Unix socket.
  database = await FaultyLine.open(databaseEnd(site.connection))
  s7 = await startSnap7({ blocks: { 1: 64 } })
  sshd = await startSshd()
  vnc = await startVncServer(picture())
  agent = await openAgentTunnel(site, machine, {
    ports: [
      localPort(controller.tcpPort, { name: 'plc', kind: 'modbus' }),
      localPort(opcua.port, { name: 'opcua', kind: 'opcua' }),
      localPort(database.port, { name: 'database' }),
      localPort(s7.port, { name: 's7', kind: 's7' }),
      localPort(sshd.port, { name: 'ssh', kind: 'ssh' }),
      localPort(vnc.port, { name: 'vnc', kind: 'vnc' }),
    ],
  })
  const session = await site.signIn(owner.userId)
  token = session.token
  await site.db
    .updateTable('sessions')
    .set({ program: 'connect' })
    .where('id', '=', session.sessionId)
    .execute()
  const ports = ['plc', 'opcua', 'database', 'ssh', 'vnc']
  program = await ConnectProgram.open({ server: site.url, token, code: machine.code, ports, mode: 'rw' })
})
afterAll(async () => {
  setFlagsFromString('--no-external-memory-accounted-in-global-limit')
  await program.stop()
  agent.stop()
  await database.close()
  await vnc.stop()
  await sshd.stop()
  await s7.stop()
  await opcua.close()
  await controller.stop()
  await rm(folder, { recursive: true, force: true })
})

function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

test('mbpoll reads registers', async () => {
  const { stdout } = await run(
    process.env.BUSBAR_MBPOLL ?? 'mbpoll',
    ['-m', 'tcp', '-p', String(program.portOf('plc')), ...'-a 1 -t 4 -r 11 -c 3 -1 -q 127.0.0.1'.split(' ')],
    { timeout: toolMsMax },
  )
  expect([...stdout.matchAll(/^\[\d+\]:\s+(\d+)/gm)].map(([, word]) => Number(word))).toEqual([101, 102, 103])
})

test('a master of pymodbus reads and writes', async () => {
  const python = process.env.BUSBAR_PYTHON ?? '/usr/bin/python3'
  const { stdout } = await run(python, ['-c', pymodbusMaster, String(program.portOf('plc'))], {
    timeout: toolMsMax,
  })
  expect(JSON.parse(stdout)).toEqual([[0, 0, 0], false, [7, 8, 9]])
  expect(await controller.poll('holding', 20, 3)).toEqual([7, 8, 9])
})

test('a master of modbus-serial reads and writes', async () => {
  const master = new modbusSerial.default()
  await master.connectTCP('127.0.0.1', { port: program.portOf('plc') })
  master.setID(1)
  master.setTimeout(toolMsMax)
  await master.writeRegister(30, 4_711)
  expect((await master.readHoldingRegisters(30, 1)).data).toEqual([4_711])
  expect(await controller.poll('holding', 30, 1)).toEqual([4_711])
  await new Promise<void>((resolve) => master.close(() => resolve()))
})

test('a client of node-opcua reads a variable at the local address', async () => {
  const clientCertificateManager = new OPCUACertificateManager({ rootFolder: folder })
  const client = OPCUAClient.create({ endpointMustExist: false, clientCertificateManager })
  await client.connect(`opc.tcp://127.0.0.1:${program.portOf('opcua')}`)
  const session = await client.createSession()
  const namespaces = await session.readNamespaceArray()
  const nodeId = `ns=${namespaces.indexOf(testNamespace)};s=speed`
  const { value } = await session.read({ nodeId, attributeId: AttributeIds.Value })
  expect(value.value).toBe(42.5)
  await session.close()
  await client.disconnect()
})

test('node-postgres asks a database', async () => {
  const client = new pg.Client({ ...site.connection, host: '127.0.0.1', port: program.portOf('database') })
  await client.connect()
  const { rows } = await client.query('select sum(n)::int as sum from generate_series(1, 1000) n')
  expect(rows).toEqual([{ sum: 500_500 }])
  await client.end()
})

const psql = findProgram('psql')
test.skipIf(!psql)('psql copies 4 MB with the same checksum as without the way', async () => {
  const ask = async (host: string, port: number) => {
    const { user, password, database: name } = site.connection
    const args = ['-h', host, '-p', String(port), '-U', user, '-d', name, '-X', '-q', '-c', copyStatement]
    const env = { ...process.env, PGPASSWORD: password, PGSSLMODE: 'disable', PGCONNECT_TIMEOUT: '30' }
    const { stdout } = await run(String(psql), args, { env, maxBuffer: 64 * 1024 * 1024 })
    return { bytes: stdout.length, hash: hashOf(stdout) }
  }
  const direct = await ask(site.connection.host, site.connection.port)
  expect(direct.bytes).toBeGreaterThan(4_000_000)
  expect(await ask('127.0.0.1', program.portOf('database'))).toEqual(direct)
})

test('ssh runs a command, with what it reads, what it says and how it ends', async () => {
  const words = [...sshd.clientArgs, '-p', String(program.portOf('ssh')), 'plant@127.0.0.1']
  const command = [...words, 'tr a-z A-Z; echo done >&2; exit 7']
  const said = run(needed('BUSBAR_SSH'), command, { timeout: toolMsMax })
  said.child.stdin?.end('valve open')
  await expect(said).rejects.toMatchObject({ code: 7, stdout: 'VALVE OPEN', stderr: 'done\n' })
})

test('scp copies 200 MB there and 20 MB back with the same checksums', async () => {
  const [large, small, back] = [join(folder, 'large'), join(folder, 'small'), join(folder, 'back')]
  const hashes = { large: await writeNoise(large, 200), small: await writeNoise(small, 20) }
  const port = String(program.portOf('ssh'))
  const copy = async (...places: string[]) => {
    const words = ['-S', needed('BUSBAR_SSH'), ...sshd.clientArgs, '-q', '-P', port, ...places]
    await run(needed('BUSBAR_SCP'), words, { timeout: copyMsMax })
  }
  await copy(large, small, 'plant@127.0.0.1:')
  const command = [...sshd.clientArgs, '-p', port, 'plant@127.0.0.1', 'sha256sum large small']
  const { stdout } = await run(needed('BUSBAR_SSH'), command, { timeout: toolMsMax })
  expect(stdout).toBe(`${hashes.large}  large\n${hashes.small}  small\n`)
  await copy('plant@127.0.0.1:small', back)
  expect(hashOf(await readFile(back))).toBe(hashes.small)
}, 600_000)

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes bytes that cannot be compressed; answers their checksum. */
async function writeNoise(path: string, megabytes: number): Promise<string> {
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16))
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  for (let part = 0; part < megabytes; part++) {
    const bytes = cipher.update(Buffer.alloc(1_000_000))
    hash.update(bytes)
    await file.writeFile(bytes)
  }
  await file.close()
  return hash.digest('hex')
}

test('vncsnapshot takes the same picture of the screen as without the way', async () => {
  const take = async (port: number, name: string) => {
    const path = join(folder, name)
    await run(needed('BUSBAR_VNCSNAPSHOT'), ['-quiet', `127.0.0.1:${port - vncPortBase}`, path], {
      timeout: toolMsMax,
    })
    return readFile(path)
  }
  const direct = await take(vnc.port, 'direct.jpg')
  expect(direct.length).toBeGreaterThan(100_000)
  expect((await take(program.portOf('vnc'), 'through.jpg')).equals(direct)).toBe(true)
})

/** Clients of VNC name a display, counted from this port. */
const vncPortBase = 5_900

/** Of many colours, so that bytes which are missing or at another place are seen. */
function picture() {
  const [width, height] = [1_024, 768]
  const pixels = new Uint32Array(width * height).map((_, at) => Math.imul(at, 2_654_435_761) >>> 8)
  return { width, height, pixels: new Uint8Array(pixels.buffer) }
}

const mayUnshare = spawnSync('unshare', ['-Urn', 'true']).status === 0
if (!mayUnshare) console.warn('Skipped: this system refuses a network of one’s own (unshare -Urn).')

test.skipIf(!mayUnshare)(
  'a client of snap7 reads and writes at port 102 of an added address',
  async () => {
    await s7.set('DB', 1, 0, Buffer.from('0102030405060708', 'hex'))
    const path = join(folder, 'platform')
    const way = await openRelay({ path }, { host: '127.0.0.1', port: Number(new URL(site.url).port) })
    const script = 'ip link set lo up && exec "$0" "$@"'
    const story = join(import.meta.dirname, 's7-tool-story.ts')
    const args = ['-Urn', 'sh', '-c', script, process.execPath, story, site.url, path, token, machine.code]
    const { stdout } = await run('unshare', args, { timeout: 60_000 })
    expect(JSON.parse(stdout)).toEqual({
      address: '10.99.0.2:102',
      read: '0102030405060708',
      written: 0,
    })
    expect((await s7.get('DB', 1, 0, 4)).toString('hex')).toBe('ffff0304')
    way.close()
  },
  90_000,
)
