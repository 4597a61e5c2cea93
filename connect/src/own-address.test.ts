import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildConnect } from '../build.mjs'
import { findObstacle, isFromHere, isPrivate, type OwnAddress } from './interfaces.ts'
import { addressCommands, type Caller, elevate, holdCommand, requireFree } from './own-address.ts'
import { ownPortOf, requirePermitted } from './target.ts'
import { textsOf } from './texts/index.ts'

const own: OwnAddress[] = [
  { interface: 'lo', address: '127.0.0.1', cidr: '127.0.0.1/8', isInternal: true },
  { interface: 'eth0', address: '192.168.1.20', cidr: '192.168.1.20/24', isInternal: false },
  { interface: 'vpn0', address: '10.8.0.6', cidr: '10.8.0.6/16', isInternal: false },
  { interface: 'eth0', address: 'fe80::1', cidr: 'fe80::1/64', isInternal: false },
]

test('only private addresses can be added', () => {
  for (const address of ['10.99.0.2', '172.16.0.1', '172.31.255.254', '192.168.7.7'])
    expect(isPrivate(address), address).toBe(true)
  for (const address of [
    '8.8.8.8',
    '172.32.0.1',
    '192.169.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '0.0.0.0',
    '10.1',
    '010.0.0.1',
    '10.0.0.1; id',
    '::ffff:10.0.0.1',
    'fd00::1',
  ])
    expect(isPrivate(address), address).toBe(false)
})

test.each(['cn', 'en'] as const)(
  'in %s an address that is in use, or in a network of this computer, is refused by name',
  (lang) => {
    const t = textsOf[lang]
    expect(findObstacle('10.99.0.2', own)).toBeUndefined()
    expect(() => requireFree('192.168.1.20', own, t)).toThrow(/192\.168\.1\.20.*eth0/)
    expect(() => requireFree('192.168.1.99', own, t)).toThrow(/192\.168\.1\.99.*192\.168\.1\.20\/24.*eth0/)
    expect(() => requireFree('10.8.200.1', own, t)).toThrow(/10\.8\.200\.1.*vpn0/)
  },
)

test('connections come from addresses of this computer', () => {
  for (const remote of ['127.0.0.1', '::ffff:127.0.0.1', '::1', '10.8.0.6', '192.168.1.20'])
    expect(
      isFromHere(remote, () => own),
      remote,
    ).toBe(true)
  for (const remote of ['192.168.1.21', '10.99.0.9', '', undefined])
    expect(
      isFromHere(remote, () => own),
      String(remote),
    ).toBe(false)
})

test('the ports where tools expect a target', () => {
  expect(ownPortOf({ name: 'plc', kind: 's7' })).toBe(102)
  expect(ownPortOf({ name: '192.168.0.5:1102', kind: 's7' })).toBe(1_102)
  expect(ownPortOf({ name: 'plc', kind: 'other' })).toBeUndefined()
})

const user = { system: 'linux', isRoot: false, asksInWindow: false, pid: 42 } as const
const commandOf = (caller: Caller) => {
  const commands = addressCommands(caller.system, '10.99.0.2')
  return commands ? holdCommand(commands, caller).join(' ') : ''
}

test('the command lines of Linux and macOS add the address, wait for the end, and remove it', () => {
  const script = (add: string, remove: string) =>
    `sh -c PATH=/usr/sbin:/sbin:$PATH; trap '' HUP INT TERM; ${add} || exit 1; echo added; cat >/dev/null; ${remove}`
  const onLinux = script('ip addr add 10.99.0.2/32 dev lo', 'ip addr del 10.99.0.2/32 dev lo')
  expect(commandOf({ ...user, isRoot: true })).toBe(onLinux)
  expect(commandOf(user)).toBe(`sudo ${onLinux}`)
  expect(commandOf({ ...user, asksInWindow: true })).toBe(`pkexec ${onLinux}`)
  expect(commandOf({ ...user, system: 'darwin' })).toBe(
    `sudo ${script('ifconfig lo0 alias 10.99.0.2 netmask 255.255.255.255', 'ifconfig lo0 -alias 10.99.0.2')}`,
  )
})

test('the command line of Windows asks for rights once, and removes the address when the program has ended', () => {
  expect(commandOf({ ...user, system: 'win32' })).toBe(
    `powershell -NoProfile -Command $ErrorActionPreference='Stop'; Start-Process -FilePath powershell -ArgumentList '-NoProfile','-Command','netsh interface ipv4 add address name=1 address=10.99.0.2 mask=255.255.255.255 store=active; if ($LASTEXITCODE -eq 0) { Wait-Process -Id 42 -ErrorAction SilentlyContinue; netsh interface ipv4 delete address name=1 address=10.99.0.2 store=active }' -Verb RunAs -WindowStyle Hidden`,
  )
  const { remove } = addressCommands('win32', '10.99.0.2') ?? { remove: [] }
  expect(elevate(remove, { ...user, system: 'win32' }).at(-1)).toContain(
    `-FilePath netsh -ArgumentList 'interface','ipv4','delete','address','name=1','address=10.99.0.2','store=active' -Verb RunAs`,
  )
})

test('nothing but an address gets into a command, and other systems have none', () => {
  expect(() => addressCommands('linux', '10.0.0.1; id')).toThrow()
  expect(addressCommands('freebsd', '10.99.0.2')).toBeUndefined()
})

test('a port that any user may have is permitted, whether it is taken or not', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const at = server.address()
  await requirePermitted(at && typeof at === 'object' ? at.port : 0)
  server.close()
})

const mayUnshare = spawnSync('unshare', ['-Urn', 'true']).status === 0
if (!mayUnshare) console.warn('Skipped: this system refuses a network of one’s own (unshare -Urn).')

test.skipIf(!mayUnshare)(
  'an S7 client reaches port 102 of an added address, which nobody outside does, and which is gone afterwards',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'busbar-connect-'))
    const story = join(import.meta.dirname, 'testing/own-address-story.ts')
    const script = 'ip link set lo up && exec "$0" "$@"'
    const args = ['-Urn', 'sh', '-c', script, process.execPath, story, await buildConnect(), home]
    try {
      const { stdout } = await promisify(execFile)('unshare', args, { timeout: 290_000 })
      expect(JSON.parse(stdout)).toEqual({
        told: [
          ['visit', null],
          ['address', '10.99.0.2'],
          ['listening', '10.99.0.2:102'],
        ],
        read: '0102030405060708',
        written: 0,
        inController: 'ffff',
        outside: { echo: true, port: false },
        secondCode: 1,
        second: 'address.inUse',
        stillHas: true,
        firstCode: 0,
        hasAfterEnd: false,
        goneAfterKill: true,
        leftByCrash: true,
        hasAfterNext: false,
        unknownCode: 1,
        unknown: 'needLocalPort',
        'denied plc:502': [
          expect.objectContaining({ event: 'visit' }),
          expect.objectContaining({ code: 'port.denied', port: 502, proposal: 10_502 }),
        ],
        'denied plc': [expect.objectContaining({ code: 'port.denied', port: 102, proposal: 10_102 })],
        hasAtEnd: false,
      })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
  300_000,
)
