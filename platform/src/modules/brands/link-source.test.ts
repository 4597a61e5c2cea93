import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { brandOrigin, linkSource } from './index.ts'

const originIn = (env: Record<string, string>) =>
  brandOrigin(linkSource({ config: readConfig(env), ports: { web: 8081 } }, { hasHost: () => false }), {
    hosts: [],
  })

test('the link by which a contact confirms in the demo leads to the page on this machine', () => {
  expect(originIn({ BUSBAR_DEMO: '1' })).toBe('http://localhost:8081')
})

test('links lead to the public address, and without one nowhere', () => {
  expect(originIn({ PUBLIC_URL: 'https://busbar.example' })).toBe('https://busbar.example')
  expect(originIn({})).toBeUndefined()
})
