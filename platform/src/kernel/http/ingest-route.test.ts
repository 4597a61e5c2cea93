import { request } from 'node:http'
import { ingest, limits } from '@busbar/contract'
import type { TestMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

const site = useSite()
let machine: TestMachine

beforeEach(async () => {
  machine = await site.createMachine()
})

const basic = (secret = machine.secret) => `Basic ${btoa(`${machine.code}:${secret}`)}`

async function post(body: string | Buffer) {
  const answer = await fetch(`${site.url}${ingest.ingestTelemetry.path}`, {
    method: 'POST',
    body,
    headers: { authorization: basic(), 'accept-language': 'en' },
  })
  return { status: answer.status, body: (await answer.json()) as { hwdata?: Record<string, unknown> } }
}

const rawOf = () => site.platform.gateway.listRawMessages(machine.machineId, 10)

describe('input is refused if none of it is stored', () => {
  it.each([
    ['no JSON', 'temp=1', 400],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['JSON of another shape', '7', 400],
    ['an array of no objects', '[1,2]', 400],
    ['an object of nothing', '{}', 400],
    ['no body', '', 400],
    ['only names that cannot be stored', '{"\\ud800":1}', 400],
    ['only an unknown tag without a value', '{"n":null}', 400],
    ['JSON above its limit', `{"n":"${'x'.repeat(300 * 1024)}"}`, 413],
    ['a body above the limit', Buffer.alloc(limits.largeBodyBytesMax + 1, 0x20), 413],
  ])('%s', async (_, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ hwcode: status })
    const { rows } = await sql`select from tags where machine_id = ${machine.machineId}`.execute(site.db)
    expect(rows).toHaveLength(0)
  })

  it('names the refused names, although others were stored', async () => {
    expect((await post('{"\\ud800":1}')).body.hwdata).toEqual({ stored: 0, refused: ['\\u{d800}'] })
    expect(await post('{"\\ud800":1,"n":2}')).toMatchObject({
      status: 200,
      body: { hwdata: { stored: 1, refused: ['\\u{d800}'] } },
    })
  })
})

it('errors for a machine that names no language are English', async () => {
  const answered = new Promise<string>((resolve, reject) => {
    const headers = { authorization: basic() }
    const sent = request(
      `${site.url}${ingest.ingestTelemetry.path}`,
      { method: 'POST', headers },
      async (answer) => {
        resolve(Buffer.concat(await answer.toArray()).toString())
      },
    )
    sent.on('error', reject)
    sent.end('temp=1')
  })
  const { error } = JSON.parse(await answered) as { error: { message: string } }
  expect(error.message).toMatch(/^[\x20-\x7e]+$/)
})

it('the answer and the raw log report values stored as bad quality or rounded, with the reason', async () => {
  const { status, body } = await post(
    `{"high":1e400,"nul":"a\\u0000b","long":"${'x'.repeat(limits.tagTextBytesMax + 1)}","n":9007199254740993}`,
  )
  const notes = [
    '"n" is rounded: 9007199254740993 is read as 9007199254740992',
    '"high" is stored as bad quality: a number beyond what a float64 holds',
    '"nul" is stored as bad quality: a text with a NUL',
    `"long" is stored as bad quality: a text of more than ${limits.tagTextBytesMax} bytes`,
  ]
  expect({ status, told: body.hwdata }).toEqual({ status: 200, told: { stored: 4, refused: [], notes } })
  const [raw] = await rawOf()
  expect(raw?.detail).toBe(`${notes.slice(0, 3).join('; ')}; and 1 more`)
})

/** Sends the head of a request and the begin of its body, and answers the status that comes before the rest. */
function statusBeforeBody(authorization: string | undefined): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-length': limits.largeBodyBytesMax,
      ...(authorization ? { authorization } : {}),
    }
    const asked = request(`${site.url}${ingest.ingestTelemetry.path}`, { method: 'POST', headers })
    asked.on('response', (response) => {
      resolve(response.statusCode)
      asked.destroy()
    })
    asked.on('error', reject)
    asked.write('{')
  })
}

it('strangers are answered before their body is read', async () => {
  expect(await statusBeforeBody(undefined)).toBe(401)
  expect(await statusBeforeBody(basic('wrong'))).toBe(401)
})
