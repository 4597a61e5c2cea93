import { expect, test } from 'vitest'
import { ConfigError } from './config-text.ts'
import { parseConfig } from './parse-config.ts'

function parse(page: string) {
  const cloud = 'cloud: { url: "mqtt://h", code: "1000000000000000001", secret: s }'
  return parseConfig(`${cloud}\nconnections: []\n${page}`).page
}

test('without the setting no local port is opened', () => {
  expect(parse('')).toBeNull()
})

test('visitors through other addresses only watch, unless the file allows more', () => {
  expect(parse('page: { listen: "127.0.0.1:8090" }')).toEqual({
    host: '127.0.0.1',
    port: 8090,
    hosts: [],
    write: true,
  })
  expect(parse('page: { listen: "[::1]:80" }')).toMatchObject({ host: '::1', write: true })
  expect(parse('page: { listen: "192.168.0.20:80", hosts: [Panel.local] }')).toMatchObject({
    hosts: ['panel.local'],
    write: false,
  })
  expect(parse('page: { listen: "0.0.0.0:80" }')).toMatchObject({ write: false })
  expect(parse('page: { listen: "0.0.0.0:80", write: true }')).toMatchObject({ write: true })
})

test.each([
  ['{ listen: 8090 }', 'has to be an address with a port'],
  ['{ listen: ":8090" }', 'has to be an address with a port'],
  ['{ listen: "localhost:8090" }', 'has to be an address with a port'],
  ['{ listen: "127.0.0.1:0" }', 'has to be an address with a port'],
  ['{ listen: "127.1:80" }', 'has to be an address with a port'],
  ['{ hosts: [a] }', 'page.listen is missing'],
  ['{ listen: "127.0.0.1:80", hosts: ["a:80"] }', 'without a port'],
  ['{ listen: "127.0.0.1:80", hosts: a }', 'has to be a list of texts'],
  ['{ listen: "127.0.0.1:80", open: true }', 'page.open is not known here'],
])('%s: %s', (page, message) => {
  expect(() => parse(`page: ${page}`)).toThrow(ConfigError)
  expect(() => parse(`page: ${page}`)).toThrow(message)
})
