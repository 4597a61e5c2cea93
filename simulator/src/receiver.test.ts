import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../testkit/src/free-port.ts'
import { pullNext, type ReceiverPlan, startReceiver } from './receiver.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function start(more: Partial<ReceiverPlan> = {}): Promise<string> {
  const port = await findFreePort()
  const receiver = await startReceiver({
    ...{ host: '127.0.0.1', port, secrets: [secret], pullUrl: '', pulls: [] },
    ...more,
  })
  onTestFinished(() => receiver.stop())
  return `http://127.0.0.1:${port}/rows`
}

interface Sent {
  readonly body?: string
  readonly signed?: string
  readonly by?: string
  readonly agoS?: number
}

async function send(url: string, sent: Sent = {}): Promise<number> {
  const { body = '[]', signed = body, by = secret, agoS = 0 } = sent
  const sentAt = Math.floor(Date.now() / 1_000) - agoS
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`1.${sentAt}.${signed}`).digest('base64')
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': String(sentAt),
    'webhook-signature': `v1,x v1,${signature}`,
  }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

test('the receiver takes what the platform signed, and refuses what is changed, old, or of another secret', async () => {
  const url = await start({ secrets: [`whsec_${Buffer.alloc(32, 8).toString('base64')}`, secret] })
  expect(await send(url)).toBe(204)
  expect(await send(url, { signed: '[1]' })).toBe(401)
  expect(await send(url, { agoS: 360 })).toBe(401)
  expect(await send(url, { by: `whsec_${Buffer.alloc(32, 9).toString('base64')}` })).toBe(401)
  await expect(send(url, { body: 'x'.repeat(2 * 1024 * 1024 + 1) })).rejects.toThrow()
  expect(await send(url)).toBe(204)
})

test('a pull goes on from the cursor of the page before, over a failure, and tells that its key is refused', async () => {
  const asked: string[] = []
  const answers = [
    { status: 200, text: '{"hwdata":{"cursor":"a"}}' },
    { status: 503, text: 'no' },
    { status: 200, text: '{"hwdata":{"cursor":"b+"}}' },
    { status: 401, text: '{"hwdata":null}' },
  ]
  const platform = createServer((request, response) => {
    const { status, text } = answers[asked.length] ?? { status: 500, text: '' }
    asked.push(`${request.headers.authorization} ${request.url}`)
    response.writeHead(status).end(text)
  })
  platform.listen(0, '127.0.0.1')
  await once(platform, 'listening')
  onTestFinished(() => void platform.close())
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/data`
  const places = [{ cursor: '', isRefused: false }]
  for (const _ of answers)
    places.push(await pullNext(url, { projectId: 4, key: 'k' }, places.at(-1)?.cursor ?? ''))
  expect(places.map(({ cursor }) => cursor)).toEqual(['', 'a', 'a', 'b+', 'b+'])
  expect(places.map(({ isRefused }) => isRefused)).toEqual([false, false, false, false, true])
  const cursors = ['', '?cursor=a', '?cursor=a', '?cursor=b%2B']
  expect(asked).toEqual(cursors.map((cursor) => `Basic ${btoa('4:k')} /data${cursor}`))
})
