// Runs the programs of docs/examples/projects as they are, which the console shows to developers.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import mqttPacket from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../docs/examples/projects')

/** @param {string} program */
const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** @type {Readonly<Record<string, { command: string[], needs: string[] }>>} */
const languages = {
  sh: { command: ['sh'], needs: ['sh', 'curl', 'jq', 'openssl'] },
  ts: { command: [process.execPath], needs: [] },
  py: { command: ['python3'], needs: ['python3'] },
  java: { command: ['java', '-XX:TieredStopAtLevel=1'], needs: ['java', 'javac'] },
}

/** The command that runs a file, and whether this machine has what it needs. @param {string} file */
function commandOf(file) {
  const language = languages[file.slice(file.lastIndexOf('.') + 1)]
  if (!language) throw new Error(`Nothing runs ${file}.`)
  const [program = '', ...args] = [...language.command, join(folder, file)]
  return { program, args, isThere: language.needs.every(has) }
}

/** @type {(() => unknown)[]} */
const ends = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** @type {string} */
let workDir
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'busbar-examples-'))
})
afterAll(() => rm(workDir, { recursive: true, force: true }))

/**
 * Starts an example, in an empty folder. `lines` are what it has printed, `said` what it has complained.
 * @param {string} file
 * @param {Record<string, string>} env
 * @param {string[]} [words]
 */
async function start(file, env, words = []) {
  const { program, args } = commandOf(file)
  const cwd = await mkdtemp(join(workDir, 'run-'))
  const child = spawn(program, [...args, ...words], { cwd, env: { ...process.env, ...env } })
  ends.push(() => child.kill('SIGKILL'))
  let output = ''
  let said = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  child.stderr.on('data', (bytes) => {
    said += bytes
  })
  /** @type {Promise<number | null>} */
  const end = new Promise((resolve) => child.on('close', resolve))
  return { child, cwd, end, lines: () => output.split('\n').filter(Boolean), said: () => said }
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })

/** @param {(request: import('node:http').IncomingMessage, body: string) => object} answer */
async function servePlatform(answer) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(request, body)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return `http://127.0.0.1:${port}`
}

const secretBytes = randomBytes(32)
const secret = `whsec_${secretBytes.toString('base64')}`
const rows = [
  { id: '4711-1', machineCode: '1234567890123456789', time: 1, values: { 温度: 20.5 } },
  { id: '4711-2', machineCode: '1234567890123456789', time: 2, values: { 温度: 21 } },
]

/**
 * A request as the platform signs it.
 * @param {{ id?: string, key?: Buffer, ageS?: number, body?: Buffer, more?: Record<string, string> }} [options]
 */
function signed({
  id = 'w-1',
  key = secretBytes,
  ageS = 0,
  body = Buffer.from(JSON.stringify(rows)),
  more,
} = {}) {
  const at = String(Math.floor(Date.now() / 1000) - ageS)
  const signature = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  /** @type {Record<string, string>} */
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signature}`,
    ...more,
  }
  return { headers, body }
}

describe.each(['receiver.ts', 'receiver.py', 'Receiver.java'])('%s', (file) => {
  /** The start of a receiver, and a function that posts to it. */
  const listen = async () => {
    const port = await freePort()
    const example = await start(file, { BUSBAR_SECRET: secret, PORT: String(port) })
    /** @param {ReturnType<typeof signed>} request */
    const post = async ({ headers, body }) => {
      const response = await fetch(`http://127.0.0.1:${port}/busbar`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      })
      return response.status
    }
    await expect.poll(() => post(signed({ ageS: 400 })).catch(() => 0), { timeout: 20_000 }).toBe(401)
    /** The rows that were printed: a program without a JSON library prints whole bodies. */
    const printed = () => example.lines().flatMap((line) => JSON.parse(line))
    return { post, printed }
  }

  it.skipIf(!commandOf(file).isThere)('takes genuine requests, and each once', async () => {
    const { post, printed } = await listen()
    expect(await post(signed())).toBe(204)
    expect(await post(signed())).toBe(204)
    await expect.poll(printed).toEqual(rows)
    const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const zipped = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
    expect(await post(signed({ id: 'w-2', body: gzipSync(lines), more: zipped }))).toBe(204)
    await expect.poll(printed).toEqual([...rows, ...rows])
    // While the secret is changed.
    const { headers, body } = signed({ id: 'w-3' })
    const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
    expect(await post({ headers: both, body })).toBe(204)
  })

  it.skipIf(!commandOf(file).isThere)('refuses what the platform did not send now', async () => {
    const { post, printed } = await listen()
    const genuine = signed()
    expect(await post(signed({ key: randomBytes(32) }))).toBe(401)
    expect(await post(signed({ ageS: 6 * 60 }))).toBe(401)
    expect(await post(signed({ ageS: -6 * 60 }))).toBe(401)
    expect(await post({ ...genuine, body: Buffer.from('[]') })).toBe(401)
    for (const [name, value] of [
      ['webhook-signature', 'v1,AAAA'],
      ['webhook-signature', ''],
      ['webhook-id', 'w-2'],
      ['webhook-timestamp', 'soon'],
    ]) {
      expect(await post({ ...genuine, headers: { ...genuine.headers, [String(name)]: String(value) } })).toBe(
        401,
      )
    }
    const { 'webhook-id': _, ...without } = genuine.headers
    expect(await post({ ...genuine, headers: without })).toBe(401)
    expect(printed()).toEqual([])
  })
})

describe('verify.sh', () => {
  /** @param {ReturnType<typeof signed>} request */
  const verify = async ({ headers, body }) => {
    const words = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name] ?? '')
    const example = await start('verify.sh', { BUSBAR_SECRET: secret }, words)
    example.child.stdin.end(body)
    return example.end
  }

  it.skipIf(!commandOf('verify.sh').isThere)('tells a genuine request from others', async () => {
    const genuine = signed()
    expect(await verify(genuine)).toBe(0)
    expect(await verify(signed({ key: randomBytes(32) }))).toBe(1)
    expect(await verify(signed({ ageS: 6 * 60 }))).toBe(1)
    expect(await verify({ ...genuine, body: Buffer.from('[]') })).toBe(1)
  })
})

describe.each(['pull.sh', 'pull.ts', 'pull.py', 'Pull.java'])('%s', (file) => {
  it.skipIf(!commandOf(file).isThere)(
    'goes on from the cursor, and from the oldest where it is too old',
    async () => {
      /** @type {string[]} */
      const asked = []
      const address = await servePlatform(({ headers, url = '' }) => {
        const { searchParams, pathname } = new URL(url, 'http://platform')
        const cursor = searchParams.get('cursor') ?? 'none'
        asked.push(`${headers.authorization} ${pathname} ${searchParams.get('wait')} ${cursor}`)
        if (cursor === 'b+/')
          return {
            hwcode: 8,
            hwreason: 'CURSOR_TOO_OLD',
            hwdata: { cursor: 'c' },
            error: { code: 'CURSOR_TOO_OLD', message: 'The cursor is too old' },
          }
        if (cursor === 'c')
          return {
            hwcode: 8,
            hwreason: 'QUOTA_OVER',
            error: { code: 'QUOTA_OVER', message: 'The quota is used up' },
          }
        return { hwcode: 0, hwreason: 'OK', hwdata: { rows, cursor: cursor === 'a' ? 'b+/' : 'a' } }
      })
      const example = await start(file, {
        BUSBAR_ADDRESS: address,
        BUSBAR_PROJECT: '12',
        BUSBAR_KEY: 'k'.repeat(64),
      })
      expect(await example.end).toBe(1)
      const login = `Basic ${Buffer.from(`12:${'k'.repeat(64)}`).toString('base64')}`
      expect(asked).toEqual(
        ['none', 'a', 'b+/', 'c'].map((cursor) => `${login} /api/project/v1/data 10 ${cursor}`),
      )
      // A program without a JSON library prints whole answers.
      const printed = example
        .lines()
        .map((line) => JSON.parse(line))
        .flatMap((each) => each.hwdata?.rows ?? each)
      expect(printed).toEqual([...rows, ...rows])
      expect(example.said()).toContain('The cursor is too old')
      expect(example.said()).toContain('The quota is used up')
      expect(await readFile(join(example.cwd, 'cursor'), 'utf8')).toBe('c')
    },
  )
})

/** Whether the libraries of an example are there. @type {Readonly<Record<string, () => boolean>>} */
const libraries = {
  'subscribe.sh': () => has('mosquitto_sub'),
  'subscribe.py': () => spawnSync('python3', ['-c', 'import paho.mqtt.client']).status === 0,
}

describe.each(['subscribe.sh', 'subscribe.ts', 'subscribe.py'])('%s', (file) => {
  const isThere = commandOf(file).isThere && (libraries[file]?.() ?? true)
  it.skipIf(!isThere)('signs in with the key, keeps its session and acknowledges each row', async () => {
    /** @type {Record<string, unknown>[]} */
    const came = []
    const broker = createTcpServer((socket) => {
      const parser = mqttPacket.parser()
      /** @param {import('mqtt-packet').Packet} packet */
      const send = (packet) => socket.write(mqttPacket.generate(packet))
      parser.on('packet', (packet) => {
        came.push({ ...packet })
        if (packet.cmd === 'connect') send({ cmd: 'connack', returnCode: 0, sessionPresent: false })
        if (packet.cmd !== 'subscribe') return
        send({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [1] })
        rows.forEach((row, place) => {
          const at = { topic: 'data/12/all/1234567890123456789', payload: JSON.stringify(row) }
          send({ cmd: 'publish', qos: 1, dup: false, retain: false, messageId: place + 1, ...at })
        })
      })
      socket.on('data', (bytes) => parser.parse(Buffer.from(bytes)))
      ends.push(() => socket.destroy())
    }).listen(0, '127.0.0.1')
    ends.push(() => broker.close())
    await expect.poll(() => broker.listening).toBe(true)
    const { port } = /** @type {import('node:net').AddressInfo} */ (broker.address())
    const login = { BUSBAR_PROJECT: '12', BUSBAR_KEY: 'k'.repeat(64) }
    const example = await start(file, { ...login, BUSBAR_MQTT: `mqtt://127.0.0.1:${port}` })
    await expect.poll(() => example.lines().map((line) => JSON.parse(line))).toEqual(rows)
    await expect.poll(() => came.filter(({ cmd }) => cmd === 'puback')).toHaveLength(2)
    const [connect, subscribe] = came
    expect(connect).toMatchObject({ username: '12', clientId: 'erp-1', clean: false })
    expect(String(connect?.password)).toBe('k'.repeat(64))
    expect(subscribe).toMatchObject({ subscriptions: [{ topic: 'data/12/#', qos: 1 }] })
  })
})

describe.each(['embed.sh', 'embed.ts', 'embed.py', 'Embed.java'])('%s', (file) => {
  it.skipIf(!commandOf(file).isThere)('asks for an address with the key, and shows it', async () => {
    const visit = 'https://v1.visit.example/?once=abc'
    /** @type {string[]} */
    const asked = []
    const address = await servePlatform(({ url = '', method }, body) => {
      asked.push(`${method} ${url} ${new URLSearchParams(body)}`)
      return { hwcode: 0, hwreason: 'OK', hwdata: { url: visit, expireAt: 1 } }
    })
    const port = await freePort()
    const env = { BUSBAR_ADDRESS: address, BUSBAR_KEY: 'k'.repeat(64), PORT: String(port) }
    const person = { BUSBAR_ACCOUNT: 'a+b@example.com', BUSBAR_MACHINE: '1234567890123456789' }
    const example = await start(file, { ...env, ...person }, Object.values(person))
    if (/ts|py/.test(file)) {
      const read = () => fetch(`http://127.0.0.1:${port}`).then((response) => response.text())
      await expect.poll(() => read().catch(() => ''), { timeout: 20_000 }).toContain(`<iframe src="${visit}"`)
    } else {
      expect(await example.end).toBe(0)
      expect(example.lines()).toEqual([visit])
    }
    const { pathname, searchParams } = new URL(
      asked[0]?.split(' ').slice(1).join('?') ?? '',
      'http://platform',
    )
    expect(pathname).toBe('/api/project/getProjectMachineVisitUrl')
    expect(Object.fromEntries(searchParams)).toEqual({
      privateKey: 'k'.repeat(64),
      account: 'a+b@example.com',
      machineCode: '1234567890123456789',
      platform: 'portal',
    })
  })
})
