import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
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
import { ensureConnectBuilt } from '../../../tools/build.mjs'
import { ConnectProgram } from './connect-program.ts'

/*
 * Tools and servers that nobody here wrote, through busbar-connect as people download it, the platform, the tunnel and
 * the agent: Modbus by mbpoll, pymodbus and modbus-serial, PostgreSQL by psql and node-postgres, OPC UA by node-opcua.
 */

const run = promisify(execFile)
const toolMsMax = 30_000
const copiedRows = 4_000
const copy = `copy (select n, repeat(md5(n::text), 32) from generate_series(1, ${copiedRows}) n) to stdout`

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
let agent: { stop(): void }
let program: ConnectProgram
/** Of the OPC UA client. */
let folder: string

beforeAll(async () => {
  await ensureConnectBuilt()
  folder = await mkdtemp(join(tmpdir(), 'busbar-tools-'))
  owner = await site.createUser()
  machine = await site.createMachine({ owner: owner.userId })
  controller = await startPymodbus()
  await controller.set('holding', 10, [101, 102, 103])
  opcua = await startOpcUaServer({ onlyPlain: true, variables: { speed: ['Double', 42.5] } })
  // The tests' PostgreSQL may listen on a Unix socket.
  database = await FaultyLine.open(databaseEnd(site.connection))
  agent = await openAgentTunnel(site, machine, {
    ports: [
      localPort(controller.tcpPort, { name: 'plc', kind: 'modbus' }),
      localPort(opcua.port, { name: 'opcua', kind: 'opcua' }),
      localPort(database.port, { name: 'database' }),
    ],
  })
  const { token, sessionId } = await site.signIn(owner.userId)
  await site.db.updateTable('sessions').set({ program: 'connect' }).where('id', '=', sessionId).execute()
  const ports = ['plc', 'opcua', 'database']
  program = await ConnectProgram.open({ server: site.url, token, code: machine.code, ports, mode: 'rw' })
})
afterAll(async () => {
  await program.stop()
  agent.stop()
  await database.close()
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
    const args = ['-h', host, '-p', String(port), '-U', user, '-d', name, '-X', '-q', '-c', copy]
    const env = { ...process.env, PGPASSWORD: password, PGSSLMODE: 'disable', PGCONNECT_TIMEOUT: '30' }
    const { stdout } = await run(String(psql), args, { env, maxBuffer: 64 * 1024 * 1024 })
    return { bytes: stdout.length, hash: createHash('sha256').update(stdout).digest('hex') }
  }
  const direct = await ask(site.connection.host, site.connection.port)
  expect(direct.bytes).toBeGreaterThan(4_000_000)
  expect(await ask('127.0.0.1', program.portOf('database'))).toEqual(direct)
})
