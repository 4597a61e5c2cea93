import { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import type { MemoryMachine } from '../testing/memory-machine.ts'
import { createMemoryMachine } from '../testing/memory-machine.ts'
import type { Visitor } from '../tunnel/page-handler.ts'
import { pageAssets } from './assets.ts'
import type { Page } from './page.ts'
import { startPage } from './page.ts'
import { pageLimits } from './page-limits.ts'

const temperature = 0
const target = 1
const count = 2
const trouble = 3

const alarm = { tag: trouble, id: 'E1', level: 'major' as const, text: { cn: '过热', en: 'Too hot' } }

let clock: ManualClock
let machine: MemoryMachine
let page: Page

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function startPageOf({ localWrite = true } = {}): Page {
  return startPage({
    machine,
    model: 'HX-200',
    connections: () => [{ name: 'press', firstTag: 0, tagCount: 4 }],
    localWrite,
    clock,
    log: () => undefined,
  })
}

beforeEach(() => {
  clock = new ManualClock()
  const tags = [
    buildTag({ name: 'temperature', unit: '°C', scale: 1 }),
    buildTag({ name: 'target', readOnly: false, min: 0, max: 300, scale: 1 }),
    buildTag({ name: 'count', type: 'int64', readOnly: false }),
    buildTag({ name: 'trouble', type: 'bool' }),
  ]
  machine = createMemoryMachine(tags, [{ ...alarm, raised: false, since: null }], () => clock.now())
  machine.set(temperature, 21.5)
  machine.set(target, 20)
  page = startPageOf()
})

afterEach(() => page.close())

function visitor(fields: Partial<Visitor> = {}): Visitor {
  return { visit: '7', user: 'Li', mode: 'rw', until: clock.now() + 3_600_000, ...fields }
}

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
  visitor?: Visitor | null
  on?: Page
}

/** Requests from the page; the answer is read as a stream, by a reader who may be slow. */
async function ask(path: string, asked: Asked = {}, isSlow = false) {
  const { method = 'GET', headers = {}, body = '', visitor: who = null, on = page } = asked
  const answer = {
    status: 0,
    headers: {} as Record<string, string>,
    text: '',
    resume: () => {},
    stream: new Writable(),
  }
  answer.stream = new Writable({
    highWaterMark: isSlow ? 1 : 1_000_000,
    write(chunk, _encoding, done) {
      answer.text += String(chunk)
      if (isSlow) answer.resume = done
      else done()
    },
  })
  on.handler(
    {
      method,
      path,
      headers: { host: 'page', ...headers },
      body: Readable.from([Buffer.from(body)]),
      visitor: who,
    },
    {
      begin(status, sent) {
        Object.assign(answer, { status, headers: sent })
        return answer.stream
      },
    },
  )
  for (let turn = 0; turn < 10; turn++) await settled()
  return answer
}

const own = { 'content-type': 'application/json', origin: 'http://page' }

function write(tag: number, value: unknown, asked: Asked = {}) {
  return ask('/api/write', { method: 'POST', body: JSON.stringify({ tag, value }), headers: own, ...asked })
}

function events(text: string): [string, unknown][] {
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name = '', data = '']) => [
    name,
    JSON.parse(data),
  ])
}

describe('writing', () => {
  test('a set-point, with who asked; a number wider than 2^53 loses no digit', async () => {
    expect(JSON.parse((await write(target, 72.5, { visitor: visitor() })).text)).toEqual({
      tag: target,
      state: 'confirmed',
      kept: 72.5,
      reason: '',
    })
    expect((await write(count, '9007199254740993')).text).toContain('"kept":"9007199254740993"')
    expect(machine.writes).toEqual([
      { tag: target, value: 72.5, source: { kind: 'page', visit: '7', user: 'Li' } },
      { tag: count, value: 9_007_199_254_740_993n, source: { kind: 'page', visit: null, user: null } },
    ])
  })

  test('a visit that may only watch cannot write, whatever else its request contains', async () => {
    const watching = visitor({ mode: 'ro' })
    for (const asked of [{}, { headers: { ...own, 'busbar-mode': 'rw', 'sec-fetch-site': 'same-origin' } }]) {
      const answer = await write(target, 1, { visitor: watching, ...asked })
      expect([answer.status, answer.text]).toEqual([403, '{"error":"watching"}'])
    }
    expect((await ask('/api/mode', { visitor: watching })).text).toBe('{"mode":"ro","reason":"visit"}')
    expect(machine.writes).toEqual([])
  })

  test('an ended visit is refused, even while its body is still arriving', async () => {
    const who = visitor({ until: clock.now() })
    expect((await write(target, 1, { visitor: who })).text).toBe('{"error":"ended"}')
    expect((await ask('/', { visitor: who })).status).toBe(403)
    expect((await ask('/api/values', { visitor: who })).status).toBe(403)

    const late = visitor({ until: clock.now() + 10 })
    const body = new Readable({ read() {} })
    let text = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
    page.handler(
      { method: 'POST', path: '/api/write', headers: { host: 'page', ...own }, body, visitor: late },
      { begin: () => stream },
    )
    await settled()
    clock.advance(20)
    body.push(JSON.stringify({ tag: target, value: 1 }))
    body.push(null)
    for (let turn = 0; turn < 10; turn++) await settled()
    expect(text).toBe('{"error":"ended"}')
    expect(machine.writes).toEqual([])
  })

  test('the local port only watches unless it was opened for more', async () => {
    const shut = startPageOf({ localWrite: false })
    expect((await write(target, 1, { on: shut })).text).toBe('{"error":"watching"}')
    expect((await write(target, 1, { on: shut, visitor: visitor() })).status).toBe(200)
    shut.close()
  })

  test.each([
    ['another origin', { 'content-type': 'application/json', origin: 'http://evil.test' }],
    ['no origin', { 'content-type': 'application/json' }],
    ['an origin of a frame without one', { 'content-type': 'application/json', origin: 'null' }],
    ['a page of the same site', { ...own, 'sec-fetch-site': 'same-site' }],
    ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_what, headers) => {
    for (const who of [null, visitor()]) {
      expect((await write(target, 1, { headers, visitor: who })).text).toBe('{"error":"crossSite"}')
    }
    expect(machine.writes).toEqual([])
  })

  test('refuses requests that a form of another site could send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const answer = await write(target, 1, { headers: { ...own, 'content-type': type } })
      expect([answer.status, answer.text]).toEqual([415, '{"error":"notJson"}'])
    }
    expect((await ask('/api/write', { method: 'OPTIONS', headers: own })).status).toBe(405)
    expect((await ask('/api/write')).status).toBe(405)
    expect(machine.writes).toEqual([])
  })

  test.each([
    ['nonsense', '{', 'badRequest'],
    ['nothing', 'null', 'badRequest'],
    ['no value', '{"tag":1}', 'badRequest'],
    ['too much', `{"tag":1,"value":"${'x'.repeat(pageLimits.bodyBytesMax)}"}`, 'tooLarge'],
    ['a tag that is not there', '{"tag":99,"value":1}', 'unknownTag'],
    ['a tag by name', '{"tag":"target","value":1}', 'unknownTag'],
    ['a text for a number', '{"tag":1,"value":"1"}', 'type'],
    ['an infinite number', '{"tag":1,"value":1e999}', 'type'],
    ['half a piece', '{"tag":2,"value":0.5}', 'type'],
    ['an object', '{"tag":1,"value":{}}', 'type'],
  ])('refuses %s', async (_what, body, error) => {
    const answer = await ask('/api/write', { method: 'POST', headers: own, body })
    expect(answer.text).toBe(JSON.stringify({ error }))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(machine.writes).toEqual([])
  })

  test('passes the machine’s own words on', async () => {
    machine.answer = async () => ({ refused: 'range' })
    expect(await write(target, 999)).toMatchObject({ status: 409, text: '{"error":"range"}' })
    machine.answer = async () => ({ state: 'failed', kept: 20, error: 'illegal data value' })
    expect((await write(target, 1)).text).toContain(
      '"state":"failed","kept":20,"reason":"illegal data value"',
    )
  })

  test('a flood of one visit is stopped without affecting others', async () => {
    const statuses: number[] = []
    for (let round = 0; round <= pageLimits.writesBurstMax; round++) {
      statuses.push((await write(target, round, { visitor: visitor() })).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(pageLimits.writesBurstMax)
    expect(statuses.at(-1)).toBe(429)
    expect((await write(target, 1, { visitor: visitor({ visit: '8' }) })).status).toBe(200)
    clock.advance(1_000)
    expect((await write(target, 1, { visitor: visitor() })).status).toBe(200)
  })
})

describe('events', () => {
  test('first everything, then only what moved, gathered, the newest of each; alarms as they come and go', async () => {
    const stream = await ask('/api/events')
    expect(stream.headers['content-type']).toContain('text/event-stream')
    machine.set(temperature, 22)
    machine.set(temperature, 23)
    clock.advance(100)
    const alarms = machine.alarms()
    Object.assign(alarms[0] as object, { raised: true, since: clock.now() })
    machine.set(trouble, true)
    clock.advance(100)
    const told = events(stream.text)
    expect(told.map(([name]) => name)).toEqual(['snapshot', 'values', 'values', 'state'])
    expect(told[0]?.[1]).toMatchObject({ alarms: [], connections: ['online'] })
    expect(told[1]?.[1]).toEqual([[temperature, 23, 'good', clock.now() - 200]])
    expect(told[3]?.[1]).toMatchObject({ alarms: [{ id: 'E1', level: 'major', text: { cn: '过热' } }] })
  })

  test('a cleared alarm reaches a page that opened after it was raised without listeners', async () => {
    const [first] = machine.alarms()
    Object.assign(first as object, { raised: true })
    const stream = await ask('/api/events')
    Object.assign(first as object, { raised: false })
    machine.set(trouble, false)
    clock.advance(100)
    expect(events(stream.text).at(-1)).toEqual(['state', { connections: ['online'], alarms: [] }])
  })

  test('a tag without a good reading is shown without a value', async () => {
    machine.set(temperature, null)
    machine.set(target, 20, clock.now(), 500)
    const { values } = JSON.parse((await ask('/api/values')).text)
    expect(values[0]).toEqual([temperature, null, 'bad', clock.now()])
    expect(values[1].slice(0, 3)).toEqual([target, 20, 'stale'])
  })

  test('a write is sent to every open page', async () => {
    const other = await ask('/api/events', { visitor: visitor({ visit: '9', mode: 'ro' }) })
    await write(target, 50)
    expect(events(other.text)).toContainEqual([
      'write',
      { tag: target, state: 'confirmed', kept: 50, reason: '' },
    ])
  })

  test('a beat every 5 s; a visit ends when its time does, also after the clock was set', async () => {
    const local = await ask('/api/events')
    const visit = await ask('/api/events', { visitor: visitor({ until: clock.now() + 8_000 }) })
    clock.advance(5_000)
    expect(events(visit.text).map(([name]) => name)).toEqual(['snapshot', 'beat'])
    clock.advance(2_999)
    expect(visit.stream.writableEnded).toBe(false)
    clock.advance(1)
    expect(visit.stream.writableEnded).toBe(true)
    expect(local.stream.writableEnded).toBe(false)
  })

  test('a slow reader misses what came meanwhile and gets one snapshot for it, so nothing piles up', async () => {
    const slow = await ask('/api/events', {}, true)
    for (let round = 0; round < 50; round++) {
      machine.set(temperature, round)
      clock.advance(100)
    }
    expect(events(slow.text)).toHaveLength(1)
    slow.resume()
    await settled()
    const [, again] = events(slow.text)
    expect(again?.[0]).toBe('snapshot')
    expect(again?.[1]).toMatchObject({
      values: expect.arrayContaining([[temperature, 49, 'good', expect.any(Number)]]),
    })
    slow.resume()
    await settled()
    expect(events(slow.text)).toHaveLength(2)
  })

  test('the number of streams is limited, in total and per visit', async () => {
    const opened = []
    for (let round = 0; round < pageLimits.eventStreamsOfVisitMax; round++) {
      opened.push(await ask('/api/events', { visitor: visitor() }))
    }
    const refused = await ask('/api/events', { visitor: visitor() })
    expect([refused.status, refused.text]).toEqual([503, '{"error":"tooMany"}'])
    for (let round = opened.length; round < pageLimits.eventStreamsMax; round++) {
      expect((await ask('/api/events')).status).toBe(200)
    }
    expect((await ask('/api/events')).status).toBe(503)
    opened[0]?.stream.destroy()
    await settled()
    expect((await ask('/api/events')).status).toBe(200)
  })

  test('another site cannot take streams', async () => {
    const answer = await ask('/api/events', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.text).toBe('{"error":"crossSite"}')
  })
})

describe('the page itself', () => {
  test('comes without anything inline and lets nothing else in', async () => {
    const { text, headers } = await ask('/')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|\sstyle=|https?:\/\/(?!www\.w3\.org)/)
    // A visit is announced by the platform.
    const visited = await ask('/', { visitor: visitor() })
    expect(visited.headers['content-security-policy']).not.toContain('frame-ancestors')
  })

  test('is sent again only after a change, and has no other files', async () => {
    const { headers } = await ask('/page.css')
    expect((await ask('/page.css', { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
    for (const path of ['/page.ts', '/../page.ts', '/script/../../page.ts', '/__proto__', '/api/']) {
      expect((await ask(path)).status).toBe(404)
    }
  })

  test('the style uses only properties that an old browser knows', async () => {
    const parts = [...pageAssets.keys()].filter((path) => path.endsWith('.css'))
    const text = (await Promise.all(parts.map((path) => ask(`/${path}`)))).map((part) => part.text).join('\n')
    expect(text).toContain('display: flex')
    expect(text).not.toMatch(
      /:is\(|:where\(|:has\(|\binset:|&|\dd?vh\b.*dvh|color-mix|aspect-ratio|@layer|@container/,
    )
    for (const [rule] of text.matchAll(/[^{}]+\{[^{}]*\}/g)) {
      // A gap between flex boxes came with Chromium 84.
      if (/display: flex/.test(rule)) expect(rule).not.toMatch(/\bgap:/)
    }
  })

  test('says which tags are alarms and what may be set', async () => {
    const { tags, ...rest } = JSON.parse((await ask('/api/page')).text)
    expect(rest).toEqual({
      mode: 'rw',
      reason: null,
      code: machine.code,
      model: 'HX-200',
      visit: false,
      connections: ['press'],
    })
    expect(tags[target]).toMatchObject({ writable: true, min: 0, max: 300, step: 0.1, kind: 'number' })
    expect(tags[count]).toMatchObject({ whole: true, wide: true, step: 1 })
    expect(tags[trouble]).toMatchObject({ alarm: true, kind: 'bool' })
  })
})
