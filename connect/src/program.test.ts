import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, connect as dial, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeFailure } from './failure-text.ts'
import type { Terminal } from './output.ts'
import { runProgram } from './program.ts'
import { listOpens, writeOpen } from './running-opens.ts'
import { readSession, writeSession } from './session-file.ts'
import { LocalPortError } from './target.ts'
import { FakePlatform } from './testing/fake-platform.ts'
import { textsOf } from './texts/index.ts'

const langs = ['cn', 'en'] as const
const code = '1'.repeat(19)
const isChinese = /\p{Script=Han}/u

let home = ''
let echo: Server
let platform: FakePlatform

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'busbar-connect-'))
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  platform = await FakePlatform.start((echo.address() as AddressInfo).port)
  platform.answers
    .set('POST /api/user/selectInfo', () => ({ name: '李工', account: 'li@example.com' }))
    .set('POST /api/user/logout', () => ({}))
    .set('POST /api/device/v1/detail/page', ({ body }) => ({
      list: [
        { deviceId: 1, alias: 'Press 4', machineCode: code, online: true },
        { deviceId: 2, alias: 'Press 40\u001b[2J', machineCode: '2'.repeat(19), online: false },
      ].filter(({ alias, machineCode }) => `${alias} ${machineCode}`.includes(String(body.search))),
    }))
    .set('POST /api/enterprises/userEnterpriseList', () => [])
    .set('GET /api/v1/visits/ports', () => ({
      ports: [
        { name: 'plc', kind: 'modbus', note: 'PLC', roundTripMs: 3, mayChange: true, mayLook: true },
        {
          name: '192.168.0.5:22',
          kind: 'other',
          note: '',
          roundTripMs: null,
          mayChange: false,
          mayLook: false,
        },
        { name: 'drive', kind: 's7', note: '', roundTripMs: null, mayChange: false, mayLook: true },
      ],
    }))
    .set('DELETE /api/v1/visits/7', () => ({}))
})
afterEach(async () => {
  echo.close()
  await platform.stop()
  rmSync(home, { recursive: true, force: true })
})

const place = () => ({ env: { HOME: home, LANG: 'en_US.UTF-8' }, platform: process.platform })
const signIn = () => writeSession(place(), { server: platform.url, token: 'the-token', terminal: 'here' })

/** A run of the program; `said` is filled while it runs. */
function run(args: readonly string[], terminal?: Terminal) {
  const said: string[] = []
  const complained: string[] = []
  const stop = new AbortController()
  const ended = runProgram(args, {
    ...place(),
    hostName: 'laptop',
    version: '1.2.3',
    write: (piece) => void said.push(piece),
    writeError: (piece) => void complained.push(piece),
    terminal,
    stopped: stop.signal,
  })
  return {
    ended,
    stop: () => stop.abort(),
    said: () => said.join(''),
    complained: () => complained.join(''),
    objects: () =>
      said
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}

/** The bytes that the tool gets back. */
async function ask(port: number, question: string): Promise<string> {
  const tool = dial({ port, host: '127.0.0.1' })
  tool.end(question)
  return text(tool)
}

describe('the command line', () => {
  test.each([
    [[], 0],
    [['--help'], 0],
    [['--version'], 0],
    [['fly'], 2],
    [['list', '--colour'], 2],
    [['open', 'Press 4'], 2],
    [['open', 'Press 4', 'plc', '--mode', 'wx'], 2],
    [['open', 'Press 4', 'plc', '--address', '0.0.0.0'], 2],
    [['open', 'Press 4', 'plc', '--address=192.0.2.2'], 2],
    [['login', '--server'], 2],
    [['status', 'now'], 2],
    [['status'], 1],
    [['login'], 1],
    [['login', '--server', 'ftp://x'], 1],
  ] as const)('%j ends with %i, in either language', async (args, exitCode) => {
    for (const lang of langs) {
      const program = run([...args, ...(args.at(-1) === '--server' ? [] : ['--lang', lang])])
      expect(await program.ended).toBe(exitCode)
      const told = exitCode === 0 ? program.said() : program.complained()
      expect(told).not.toBe('')
      if (args.at(-1) !== '--server' && args[0] !== '--version')
        expect(isChinese.test(told)).toBe(lang === 'cn')
    }
    expect(platform.calls).toEqual([])
  })

  test('a wrong language is named in that of the system', async () => {
    const program = run(['list', '--lang', 'fr'])
    expect(await program.ended).toBe(2)
    expect(program.complained()).toContain('not fr')
  })
})

describe('signing in', () => {
  beforeEach(() => {
    let polls = 0
    platform.answers
      .set('POST /api/user/v1/deviceCode', () => ({
        deviceCode: 'dev.x',
        userCode: '7KMP-4TXW',
        verifyUrl: `${platform.url}/deviceCode`,
        expireIn: 600,
        interval: 0.01,
      }))
      .set('POST /api/user/v1/deviceCode/token', () =>
        ++polls < 3 ? { state: 'waiting' } : { token: 'new' },
      )
  })

  test('shows the address, the code and a QR code, and keeps the token for this user', async () => {
    const program = run(['login', '--server', platform.url])
    expect(await program.ended).toBe(0)
    expect(program.said()).toContain('7KMP-4TXW')
    expect(program.said()).toContain(`${platform.url}/deviceCode`)
    expect(program.said()).toMatch(/[█▀▄]{7}/)
    expect(program.said()).toContain('李工')
    expect(await readSession(place())).toMatchObject({ server: platform.url, token: 'new' })
    expect(platform.calls[0]?.body).toMatchObject({
      program: 'connect',
      terminalName: 'busbar-connect laptop',
    })
  })

  test('as JSON, without a picture', async () => {
    const program = run(['login', '--server', platform.url, '--json'])
    expect(await program.ended).toBe(0)
    expect(program.objects()).toMatchObject([{ event: 'signIn', code: '7KMP-4TXW' }, { event: 'signedIn' }])
  })

  test.each(['refused', 'expired'])('%s, it keeps nothing', async (state) => {
    platform.answers.set('POST /api/user/v1/deviceCode/token', () => ({ state }))
    const program = run(['login', '--server', platform.url])
    expect(await program.ended).toBe(1)
    expect(await readSession(place())).toBeUndefined()
  })

  test('signed out, the token is gone on both sides', async () => {
    await signIn()
    const program = run(['logout'])
    expect(await program.ended).toBe(0)
    expect(platform.calls).toMatchObject([{ path: '/api/user/logout', token: 'the-token' }])
    expect(await readSession(place())).toBeUndefined()
  })

  test('the state of the sign-in, as lines and as JSON', async () => {
    await signIn()
    const plain = run(['status'])
    expect(await plain.ended).toBe(0)
    expect(plain.said()).toContain('李工 (li@example.com)')
    const json = run(['status', '--json'])
    expect(await json.ended).toBe(0)
    expect(json.objects()).toMatchObject([{ server: platform.url, account: 'li@example.com' }])
  })

  test('a session that ended elsewhere is told so', async () => {
    await signIn()
    platform.answers.set('POST /api/user/selectInfo', () => ({
      fails: { http: 401, code: '113', message: 'not signed in' },
    }))
    const program = run(['status', '--lang', 'en'])
    expect(await program.ended).toBe(1)
    expect(program.complained()).toContain('Sign in again')
  })
})

describe('lists', () => {
  beforeEach(signIn)

  test('devices, as lines that do not steer the terminal, and as JSON', async () => {
    const plain = run(['list'])
    expect(await plain.ended).toBe(0)
    expect(plain.said()).toContain(`Press 4`)
    expect(plain.said()).not.toContain('\u001b')
    const json = run(['list', '--json'])
    await json.ended
    expect(json.objects()).toMatchObject([{ id: 1, code, online: true }, { id: 2 }])
  })

  test('the ports of one device, with the person’s access', async () => {
    const plain = run(['list', 'Press 4'])
    expect(await plain.ended).toBe(0)
    expect(plain.said()).toMatch(/plc +modbus +read and write, view only +3 ms +PLC/)
    const json = run(['list', code, '--json'])
    await json.ended
    expect(json.objects()).toHaveLength(3)
  })

  test('a name of several devices lists their codes', async () => {
    const program = run(['list', 'Press'])
    expect(await program.ended).toBe(1)
    expect(program.complained()).toContain(code)
  })
})

describe('open ports', () => {
  beforeEach(signIn)

  test('carry a tool’s bytes, tell what happens as JSON, and end the visit with the program', async () => {
    const program = run(['open', 'Press 4', 'plc', '--json'])
    await expect.poll(() => program.said()).toContain('listening')
    const { address } = program.objects().find(({ event }) => event === 'listening')
    expect(address).toMatch(/^127\.0\.0\.1:/)
    expect(await ask(Number(address.split(':')[1]), 'ping')).toBe('ping')
    await expect.poll(() => program.said()).toContain('"closed"')
    program.stop()
    expect(await program.ended).toBe(0)
    expect(program.objects().map(({ event }) => event)).toEqual(['visit', 'listening', 'opened', 'closed'])
    expect(platform.calls.find(({ path }) => path === '/api/v1/visits/tcp')?.body).toEqual({
      machineID: 1,
      terminalID: 'here',
      mode: 'rw',
    })
    expect(platform.countCalls('DELETE /api/v1/visits/7')).toBe(1)
  })

  test.each(langs)('say per kind in %s what a tool needs, and why they ended', async (lang) => {
    const program = run(['open', 'Press 4', 'plc', '--lang', lang])
    await expect.poll(() => program.said()).toContain('127.0.0.1')
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(program.said())?.[1])
    const tool = dial({ port, host: '127.0.0.1' }).on('error', () => undefined)
    await expect.poll(() => platform.lines).toBe(1)
    platform.closeLines(4403, 'rightLost')
    expect(await program.ended).toBe(1)
    tool.destroy()
    expect(program.said()).toContain(textsOf[lang].endReasons.rightLost)
    expect(platform.countCalls('DELETE /api/v1/visits/7')).toBe(0)
  })

  test('a full-screen view shows them, gives the control away, and leaves the terminal as it was', async () => {
    platform.answers.set('POST /api/v1/visits/7/control', () => ({ controller: { me: false, who: 'Wang' } }))
    let press: (key: string) => void = () => undefined
    const program = run(['open', 'Press 4', 'plc'], {
      columns: () => 100,
      rows: () => 24,
      onKey: (listen) => {
        press = listen
        return () => undefined
      },
    })
    await expect.poll(() => program.said()).toContain('You are in control')
    press('r')
    await expect.poll(() => program.said()).toContain('Wang is in control')
    press('q')
    expect(await program.ended).toBe(0)
    expect(program.said().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true)
  })

  test('hands control to the visit that the person chooses, and to none after another key', async () => {
    const asking = { sessionId: 9, user: { userId: 2, name: 'Wang', me: false }, asks: true }
    platform.answers
      .set('GET /api/v1/visits/7/takers', () => ({ takers: [asking] }))
      .set('POST /api/v1/visits/7/control', () => ({ controller: { me: false, who: 'Wang' } }))
    let press: (key: string) => void = () => undefined
    const program = run(['open', 'Press 4', 'plc'], {
      columns: () => 120,
      rows: () => 30,
      onKey: (listen) => {
        press = listen
        return () => undefined
      },
    })
    await expect.poll(() => program.said()).toContain('You are in control')
    press('h')
    await expect.poll(() => program.said()).toContain('1  Wang  asks for control')
    press('x')
    press('1')
    expect(platform.countCalls('POST /api/v1/visits/7/control')).toBe(0)
    press('h')
    await expect.poll(() => platform.countCalls('GET /api/v1/visits/7/takers')).toBe(2)
    await expect.poll(() => program.said().split('Hand control over to').length).toBe(3)
    press('1')
    await expect.poll(() => program.said()).toContain('Wang is in control')
    expect(platform.calls.find(({ path }) => path === '/api/v1/visits/7/control')?.body).toEqual({
      action: 'hand',
      to: 9,
    })
    platform.answers.set('GET /api/v1/visits/7/takers', () => ({ takers: [] }))
    press('h')
    await expect.poll(() => program.said()).toContain('No one asks for control')
    press('q')
    expect(await program.ended).toBe(0)
  })

  test('tells the requests of each connection as the agent counted them', async () => {
    const program = run(['open', 'Press 4', 'plc', '--json'])
    await expect.poll(() => program.said()).toContain('listening')
    const { address } = program.objects().find(({ event }) => event === 'listening')
    const tool = dial({ port: Number(address.split(':')[1]), host: '127.0.0.1' })
    await expect.poll(() => program.said()).toContain('opened')
    platform.say({ counts: { reads: 1, writes: 0, refused: 0 } })
    platform.say({ counts: { reads: 5, writes: 2, refused: 1 } })
    // In order on the line: a byte that came back shows that the counts were there before it.
    tool.write('ping')
    await new Promise((resolve) => tool.once('data', resolve))
    tool.destroy()
    await expect.poll(() => program.said()).toContain('"closed"')
    expect(program.objects().at(-1)).toMatchObject({ requests: { reads: 5, writes: 2, refused: 1 } })
    program.stop()
    expect(await program.ended).toBe(0)
  })

  test.each(langs)(
    'the state of the program lists in %s what is open, without programs that are dead',
    async (lang) => {
      const dead = {
        pid: 4_194_305,
        since: Date.now(),
        machine: 'Gone',
        mode: 'rw',
        added: null,
        ports: [],
      } as const
      await writeOpen(place(), dead)
      const program = run(['open', 'Press 4', 'plc'])
      await expect.poll(() => program.said()).toContain('127.0.0.1')
      const port = /127\.0\.0\.1:\d+/.exec(program.said())?.[0]
      await expect.poll(async () => (await listOpens(place())).live[0]?.ports).toHaveLength(1)
      const plain = run(['status', '--lang', lang])
      expect(await plain.ended).toBe(0)
      expect(plain.said()).toMatch(new RegExp(`Press 4 +plc +${port} +.+ ${process.pid}`))
      expect(plain.said()).not.toContain('Gone')
      const json = run(['status', '--json'])
      await json.ended
      expect(json.objects()[0].opens).toMatchObject([
        { pid: process.pid, machine: 'Press 4', mode: 'rw', ports: [{ name: 'plc', address: port }] },
      ])
      expect((await listOpens(place())).dead).toEqual([])
      program.stop()
      await program.ended
      const after = run(['status', '--lang', lang])
      await after.ended
      expect(after.said()).toContain(textsOf[lang].noOpens)
    },
  )

  test('a taken local port proposes another, and the visit ends again', async () => {
    const { port } = echo.address() as AddressInfo
    const program = run(['open', 'Press 4', `plc:${port}`])
    expect(await program.ended).toBe(1)
    const by = process.platform === 'linux' ? ` by .+ \\(process ${process.pid}\\)` : '.*'
    expect(program.complained()).toMatch(new RegExp(`${port} is taken${by}; \\d+ is free`))
    expect(platform.countCalls('DELETE /api/v1/visits/7')).toBe(1)
  })

  test.each(langs)('a local port below 1024 without permission is said in %s', (lang) => {
    const { message } = describeFailure(new LocalPortError('denied', 502, 10_502), textsOf[lang], '')
    expect(message).toContain('502')
    expect(message).toContain('10502')
  })

  test.each([
    [['open', 'Press 5', 'plc'], 'No such device'],
    [['open', 'Press 4', 'pump'], 'plc, 192.168.0.5:22, drive'],
    [['open', 'Press 4', 'plc:0'], '1 to 65535'],
    [['open', 'Press 4', '192.168.0.5:22'], 'no access'],
    [['open', 'Press 4', '192.168.0.5:22:2022'], 'no access'],
    [['open', 'Press 4', 'drive', '--mode', 'rw'], '--mode ro'],
  ] as const)('%j is refused before a visit opens', async (args, told) => {
    const program = run(args)
    expect(await program.ended).toBe(1)
    expect(program.complained()).toContain(told)
    expect(platform.countCalls('POST /api/v1/visits/tcp')).toBe(0)
  })

  test('a port that can only be looked at is opened view-only', async () => {
    platform.mode = 'ro'
    const program = run(['open', 'Press 4', 'drive', '--json'])
    await expect.poll(() => program.said()).toContain('listening')
    program.stop()
    expect(await program.ended).toBe(0)
    expect(platform.calls.find(({ path }) => path === '/api/v1/visits/tcp')?.body).toMatchObject({
      mode: 'ro',
    })
  })

  test('the person in control is named', async () => {
    platform.answers.set('POST /api/v1/visits/tcp', () => ({
      fails: { http: 200, code: 'CONTROL_TAKEN', message: 'taken', data: { who: 'Wang' } },
    }))
    const program = run(['open', 'Press 4', 'plc'])
    expect(await program.ended).toBe(1)
    expect(program.complained()).toContain('Wang is in control')
  })
})
