import { expect, test } from 'vitest'
import { z } from 'zod'
import { askJson, basicOf, ProviderFailed } from './ask-json.ts'
import { type Answer, failures, json, serve } from './testing/stand-in.ts'

const shape = z.object({ told: z.string() })
const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error) => (error instanceof ProviderFailed ? error : `not ProviderFailed: ${error}`),
  )

test('asks by GET, and by POST with a body, each with its headers', async () => {
  const seen: unknown[] = []
  const service = await serve((request, response) => {
    const { authorization, 'content-type': type } = request.headers
    seen.push([request.method, authorization, type])
    json({ told: 'yes' })(request, response)
  })
  const url = new URL(service.url)
  const headers = { authorization: basicOf('operator', 'geheim') }
  expect(await askJson(url, shape, { headers })).toEqual({ told: 'yes' })
  expect(await askJson(url, shape, { headers, body: { asked: '卡' } })).toEqual({ told: 'yes' })
  expect(seen).toEqual([
    ['GET', 'Basic b3BlcmF0b3I6Z2VoZWlt', undefined],
    ['POST', 'Basic b3BlcmF0b3I6Z2VoZWlt', 'application/json'],
  ])
  expect(service.bodies).toEqual(['', '{"asked":"卡"}'])
})

test.each(failures)('%s is told as %s', async (_what, reason, answer) => {
  const { url } = await serve(answer)
  expect(await failureOf(askJson(new URL(url), shape))).toMatchObject({ reason })
})

test('a redirect leads no secret to another service', async () => {
  const thief = await serve(json({ told: 'mine' }))
  const { url } = await serve((_request, response) => response.writeHead(307, { location: thief.url }).end())
  const headers = { authorization: basicOf('operator', 'geheim') }
  expect(await failureOf(askJson(new URL(url), shape, { headers }))).toMatchObject({ reason: 'unreachable' })
  expect(thief.asked).toEqual([])
})

test('the status of a refusal is told', async () => {
  const gone: Answer = (_request, response) => response.writeHead(404).end('the secret')
  const { url } = await serve(gone)
  const failure = await failureOf(askJson(new URL(url), shape))
  expect(failure).toMatchObject({ reason: 'refused', status: 404 })
  expect(String(failure)).not.toContain('the secret')
})

test('an answer is as long as the question permits', async () => {
  const { url } = await serve(json({ told: 'x'.repeat(300_000) }))
  expect(await failureOf(askJson(new URL(url), shape))).toMatchObject({ reason: 'wrongAnswer' })
  expect(await failureOf(askJson(new URL(url), shape, { answerBytesMax: 400_000 }))).toBe('answered')
})

test('an answer that never ends is given up', async () => {
  const dripping: Answer = (_request, response) => {
    response.write('{"told":"')
    const drip = setInterval(() => response.write('x'), 100)
    response.on('close', () => clearInterval(drip))
  }
  const { url } = await serve(dripping)
  expect(await failureOf(askJson(new URL(url), shape))).toMatchObject({ reason: 'timeout' })
})
