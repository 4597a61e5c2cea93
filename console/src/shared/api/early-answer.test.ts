import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchUnlessEarly } from './early-answer.ts'

const url = '/api/machine/select'
const request = { method: 'POST', headers: { 'accept-language': 'en' }, body: '{"terminalID":"console"}' }
const sent = vi.fn<typeof fetch>()

beforeEach(() => {
  sent.mockResolvedValue(new Response('sent'))
  vi.stubGlobal('fetch', sent)
})

afterEach(() => {
  vi.unstubAllGlobals()
  sent.mockReset()
  globalThis.busbarEarly = undefined
})

function sendEarly(answer = Promise.resolve(new Response('early'))): void {
  globalThis.busbarEarly = { url, lang: 'en', body: request.body, answer }
}

const ask = async (init: RequestInit = request) => (await fetchUnlessEarly(url, init)).text()

it('takes the early answer once, and asks again afterwards', async () => {
  sendEarly()
  expect(await ask()).toBe('early')
  expect(sent).not.toHaveBeenCalled()
  expect(await ask()).toBe('sent')
})

it.each([
  ['in another language', { ...request, headers: { 'accept-language': 'zh-CN' } }],
  ['with another body', { ...request, body: '{"terminalID":"console","version":"1"}' }],
])('sends a request %s itself', async (_, init) => {
  sendEarly()
  expect(await ask(init)).toBe('sent')
})

it('asks again if the early request got no answer', async () => {
  sendEarly(Promise.reject(new TypeError('network')))
  expect(await ask()).toBe('sent')
})
