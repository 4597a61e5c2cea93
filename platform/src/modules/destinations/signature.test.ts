import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { newSecret, signatureHeaders } from './signature.ts'

/** The library that receivers use. */
const { Webhook } = createRequire(import.meta.url)('standardwebhooks') as {
  Webhook: new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown }
}

const body = Buffer.from('[{"id":"1-1","machineName":"注塑机"}]')
const minuteMs = 60_000

function signed(secrets: readonly string[], now = Date.now()) {
  return signatureHeaders({ id: '7-0-1-1', body, secrets, now })
}

const verify = (secret: string, headers: Record<string, string>, text = body.toString()) =>
  new Webhook(secret).verify(text, headers)

test('the library of Standard Webhooks verifies a request with each secret that is valid', () => {
  const secrets = [newSecret(), newSecret()]
  for (const secret of secrets) expect(verify(secret, signed(secrets))).toEqual(JSON.parse(body.toString()))
})

test('it refuses another secret, a request of six minutes ago, a changed body and another id', () => {
  const secret = newSecret()
  expect(() => verify(newSecret(), signed([secret]))).toThrow('No matching signature')
  expect(() => verify(secret, signed([secret], Date.now() - 6 * minuteMs))).toThrow('too old')
  expect(() => verify(secret, signed([secret]), '[]')).toThrow('No matching signature')
  expect(() => verify(secret, { ...signed([secret]), 'webhook-id': '7-0-2-2' })).toThrow(
    'No matching signature',
  )
})

test('a secret has 32 random bytes', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
  expect(newSecret()).not.toBe(secret)
})
