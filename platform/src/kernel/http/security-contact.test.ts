import { health } from '@busbar/contract'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { settings } from '../../config.ts'
import { registerSecurityContact } from './security-contact.ts'

const now = Date.parse('2026-11-28T06:00:00Z')

async function ask(config: { SECURITY_CONTACT?: string; PUBLIC_URL?: string }) {
  const app = Fastify()
  registerSecurityContact(app, config, { hookOf: () => async () => undefined }, () => now)
  return app.inject({ url: health.getSecurityContact.path })
}

test('security.txt names the contact of the operator, and ends within a year', async () => {
  const answer = await ask({
    SECURITY_CONTACT: 'mailto:security@plant.example',
    PUBLIC_URL: 'https://busbar.example',
  })
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.body.split('\n')).toEqual([
    'Contact: mailto:security@plant.example',
    'Expires: 2027-05-27T06:00:00.000Z',
    'Preferred-Languages: zh, en',
    'Canonical: https://busbar.example/.well-known/security.txt',
    '',
  ])
})

test('the place is named only where it is https', async () => {
  const { body } = await ask({
    SECURITY_CONTACT: 'https://plant.example/report',
    PUBLIC_URL: 'http://localhost:8080',
  })
  expect(body).not.toContain('Canonical')
})

test('without a contact there is no such file', async () => {
  expect((await ask({})).statusCode).toBe(404)
})

test.each([
  'security@plant.example',
  'http://plant.example',
  'mailto:a@b\nContact: mailto:c@d',
  'javascript:1',
])('the start refuses the contact %j', (contact) =>
  expect(settings.SECURITY_CONTACT.safeParse(contact).success).toBe(false),
)
