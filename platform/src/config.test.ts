import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { primaryHostId } from '@busbar/link'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConfigError, readConfig, readDatabaseUrl } from './config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const url = 'postgres://busbar@database/busbar'

it('the password of the database comes from its file, whatever it is made of', async () => {
  const file = join(folder, 'password')
  await writeFile(file, 'a%b@c:/ ü#?\n')
  const config = readConfig({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: file })
  const read = new URL(readDatabaseUrl(config) ?? '')
  expect(decodeURIComponent(read.password)).toBe('a%b@c:/ ü#?')
  expect(read.hostname).toBe('database')
})

it('the host id of STATE is a setting, and one level of a topic', () => {
  expect(readConfig({}).SPARKPLUG_HOST_ID).toBe(primaryHostId)
  expect(readConfig({ SPARKPLUG_HOST_ID: '三号厂 SCADA' }).SPARKPLUG_HOST_ID).toBe('三号厂 SCADA')
  for (const wrong of ['a/b', '+', 'a#', 'a\u202eb', 'a\nb', '\ud800', 'a'.repeat(65)]) {
    expect(() => readConfig({ SPARKPLUG_HOST_ID: wrong })).toThrow(/SPARKPLUG_HOST_ID: /)
  }
})

it('a password file that is missing, or without a database, is reported by its name', () => {
  const config = readConfig({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: join(folder, 'none') })
  expect(() => readDatabaseUrl(config)).toThrow(/DATABASE_PASSWORD_FILE: .*ENOENT/)
  expect(() => readConfig({ DATABASE_PASSWORD_FILE: join(folder, 'none') })).toThrow(ConfigError)
})

it('NATS on another host needs TLS and a user: the start refuses, and names what to set', () => {
  const user = { NATS_USER: 'node1', NATS_PASSWORD_FILE: '/run/secrets/nats' }
  for (const here of [
    'nats://127.0.0.1:4222',
    'nats://localhost:4222, nats://[::1]:4223',
    'nats://127.0.3.9',
  ])
    expect(readConfig({ NATS_URL: here }).NATS_URL).toBe(here)
  for (const plain of [
    'nats://nats:4222',
    'nats://10.0.0.4',
    'nats://127.0.0.1.example:4222',
    'nats://127.0.0.1@nats:4222',
    'nats://127.0.0.1:4222,nats://nats:4222',
    'tls://nats1:4222, nats://nats2:4222',
  ])
    expect(() => readConfig({ NATS_URL: plain, ...user })).toThrow(/^NATS_URL: .*tls:\/\//)
  const secure = { NATS_URL: 'tls://nats1:4222,tls://nats2:4222' }
  expect(readConfig({ ...secure, ...user }).NATS_URL).toBe(secure.NATS_URL)
  for (const part of [{}, { NATS_USER: 'node1' }])
    expect(() => readConfig({ ...secure, ...part })).toThrow(/NATS_USER, NATS_PASSWORD_FILE: .*needs both/)
  expect(() => readConfig({ NATS_URL: 'nats://:4222' })).toThrow(/^NATS_URL: /)
})
