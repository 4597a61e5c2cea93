import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { describeFailure } from './failure-text.ts'
import {
  findHolder,
  lsofCommand,
  netstatCommand,
  readLsof,
  readNetstat,
  readSockets,
  readTasklist,
  tasklistCommand,
} from './port-holder.ts'
import { LocalPortError } from './target.ts'
import { textsOf } from './texts/index.ts'

const server = createServer()
afterEach(() => void server.close())

test.skipIf(process.platform !== 'linux').each(['127.0.0.1', '0.0.0.0', '::', '::1'])(
  'Linux tells the program that listens at %s',
  async (address) => {
    server.listen(0, address)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const wanted = address === '::1' ? address : '127.0.0.1'
    const holder = await findHolder('linux', wanted, port)
    expect(holder?.pid).toBe(process.pid)
    expect(holder?.name).not.toBe('')
    // Another address is free, and nobody has a port that is closed.
    if (address.endsWith('1')) expect(await findHolder('linux', '127.0.0.9', port)).toBeUndefined()
    await new Promise((resolve) => server.close(resolve))
    expect(await findHolder('linux', wanted, port)).toBeUndefined()
  },
)

test('a table of Linux names listeners at the address or at all, by their inode', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0066 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0
   1: 00000000:01F6 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 100 0 0 10 0
   2: 0200630A:0066 0100007F:C000 01 00000000:00000000 00:00000000 00000000  1000        0 333 1 0 100 0 0 10 0
   3: 0200630A:0066 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 444 1 0 100 0 0 10 0
`
  expect(readSockets(table, '127.0.0.1', 102)).toEqual(['111'])
  expect(readSockets(table, '127.0.0.1', 502)).toEqual(['222'])
  expect(readSockets(table, '10.99.0.2', 102)).toEqual(['444'])
  expect(readSockets(table, '10.99.0.3', 102)).toEqual([])
})

test('macOS tells it by lsof', () => {
  expect(lsofCommand(102).join(' ')).toBe('lsof -nP -iTCP:102 -sTCP:LISTEN -Fpc')
  expect(readLsof('p812\ncnode\nf21\n')).toEqual({ pid: 812, name: 'node' })
  expect(readLsof('')).toBeUndefined()
})

test('Windows tells it by netstat and tasklist, in any language', () => {
  expect(netstatCommand.join(' ')).toBe('netstat -ano -p TCP')
  const table = `
Aktive Verbindungen

  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    10.0.0.5:102           10.0.0.9:50000         HERGESTELLT      7
  TCP    0.0.0.0:1102           0.0.0.0:0              ABHÖREN          8
  TCP    0.0.0.0:102            0.0.0.0:0              ABHÖREN          4312
`
  expect(readNetstat(table, 102)).toBe(4_312)
  expect(readNetstat(table, 103)).toBeUndefined()
  expect(tasklistCommand(4_312).join(' ')).toBe('tasklist /FI PID eq 4312 /FO CSV /NH')
  const list = '\r\n"s7oiehsx64.exe","4312","Services","0","12.345 K"\r\n'
  expect(readTasklist(list)).toEqual({ pid: 4_312, name: 's7oiehsx64.exe' })
  expect(readTasklist('INFO: No tasks are running.')).toBeUndefined()
})

test.each(['cn', 'en'] as const)('in %s a taken port names its program and one that is free', (lang) => {
  const error = new LocalPortError('taken', 102, 10_102, { pid: 4_312, name: 's7oiehsx64.exe' })
  const { message, more } = describeFailure(error, textsOf[lang], '')
  for (const part of ['102', 's7oiehsx64.exe', '4312', '10102']) expect(message).toContain(part)
  expect(more).toEqual({ port: 102, proposal: 10_102, holder: { pid: 4_312, name: 's7oiehsx64.exe' } })
})
