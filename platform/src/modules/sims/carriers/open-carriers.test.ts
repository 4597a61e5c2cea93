import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '../../../config.ts'
import { LocalRateCounters } from '../../../kernel/http/rate-counters.ts'
import { openCarriers } from './open-carriers.ts'

const secret = 'a-secret-that-nobody-reads-9x7z'
const unicom = {
  ...{ name: 'unicom', carrier: 'controlCenter', url: 'https://api.10646.cn', user: 'operator' },
  ...{ secretFile: 'unicom.key', cycle: 'day27' },
}

async function start(accounts: unknown, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-sim-accounts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'accounts.json')
  await writeFile(join(folder, 'unicom.key'), `${secret}\n`)
  await writeFile(join(folder, 'short.key'), 'short')
  await writeFile(join(folder, 'empty.key'), '\n')
  await writeFile(file, typeof accounts === 'string' ? accounts : JSON.stringify(accounts))
  const config = readConfig({ SIM_ACCOUNTS_FILE: file, ...env })
  const open = () => openCarriers({ config, rateCounters: new LocalRateCounters(), now: Date.now })
  return { open, folder }
}

async function problemOf(accounts: unknown): Promise<string> {
  const { open, folder } = await start(accounts)
  try {
    open()
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(folder, '')
    throw error
  }
  return 'opened'
}

test('opens the accounts of the file, each with its words for states', async () => {
  const { open } = await start([
    unicom,
    { name: 'nce', carrier: '1nce', user: 'api', secretFile: 'unicom.key' },
    { name: 'gsl', carrier: 'gsl', user: 'KEY', secretFile: 'unicom.key' },
    { name: 'trial', carrier: 'simulator' },
  ])
  const accounts = open()
  expect(accounts.map(({ name, kind, cycle, url, user }) => [name, kind, cycle, url, user])).toEqual([
    ['unicom', 'controlCenter', 'day27', 'https://api.10646.cn', 'operator'],
    ['nce', '1nce', 'calendar', 'https://api.1nce.com', 'api'],
    ['gsl', 'gsl', 'calendar', 'https://gsl.cn-north-4.myhuaweicloud.com', 'KEY'],
    ['trial', 'simulator', 'calendar', '', ''],
  ])
  for (const { carrier } of accounts) expect(Object.keys(carrier.states).length).toBeGreaterThan(2)
  expect(accounts[0]?.secretEnd).toBe('9x7z')
  expect(JSON.stringify(accounts)).not.toContain(secret)
})

test('the simulator is there in the demo, and elsewhere only where the file names it', async () => {
  const demo = { BUSBAR_DEMO: '1' }
  const namesOf = async (accounts: unknown, env?: Record<string, string>) =>
    (await start(accounts, env)).open().map(({ name, kind }) => `${name} ${kind}`)
  expect(await namesOf([])).toEqual([])
  expect(await namesOf([], demo)).toEqual(['simulator simulator'])
  expect(await namesOf([{ name: 'simulator', carrier: 'simulator', fault: 'slow' }], demo)).toEqual([
    'simulator simulator',
  ])
  const openWith = (env: Record<string, string>) =>
    openCarriers({ config: readConfig(env), rateCounters: new LocalRateCounters(), now: Date.now })
  expect(openWith({})).toEqual([])
  expect(openWith(demo)).toHaveLength(1)
})

test('accounts of one user at one carrier share its limits', async () => {
  const { open } = await start([
    unicom,
    { ...unicom, name: 'telecom', cycle: 'calendar' },
    { ...unicom, name: 'elsewhere', user: 'somebody' },
    { name: 'one', carrier: 'simulator' },
    { name: 'other', carrier: 'simulator', cycle: 'day27' },
  ])
  const [one, same, other, simulated, simulatedToo] = open()
  expect(same?.calls).toBe(one?.calls)
  expect(other?.calls).not.toBe(one?.calls)
  expect(simulated?.carrier).not.toBe(simulatedToo?.carrier)
})

test('no more of a short secret is shown than nothing', async () => {
  const { open } = await start([{ ...unicom, secretFile: 'short.key' }])
  expect(open()[0]?.secretEnd).toBe('')
})

describe('a file that is wrong is refused with its place', () => {
  test.each([
    ['not JSON', 'hello, secret', /^SIM_ACCOUNTS_FILE: \/accounts\.json is not JSON$/],
    ['no list', {}, /^SIM_ACCOUNTS_FILE: .*array/],
    ['an unknown field', [unicom, { ...unicom, name: 'b', password: 'x' }], /account 2: .*"password"/],
    ['an unknown carrier', [{ ...unicom, carrier: 'onelink' }], /account 1, carrier: /],
    ['a field that is missing', [{ ...unicom, user: undefined }], /account 1, user: /],
    ['no address of Control Center', [{ ...unicom, url: undefined }], /account 1, url: /],
    ['an address without TLS', [{ ...unicom, url: 'http://api.10646.cn' }], /account 1, url: https:\/\//],
    ['an address of no web', [{ ...unicom, url: 'ftp://api.10646.cn' }], /account 1, url: /],
    ['a user in the address', [{ ...unicom, url: 'https://me:it@api.10646.cn' }], /url: .* without user/],
    ['a path in the address', [{ ...unicom, url: 'https://api.10646.cn/rws' }], /url: .* without user/],
    ['an unknown cycle', [{ ...unicom, cycle: 'weekly' }], /account 1, cycle: /],
    ['a name with a space', [{ ...unicom, name: 'a b' }], /account 1, name: /],
    ['a name twice', [unicom, unicom], /two accounts have the name unicom$/],
    [
      'a missing secret',
      [{ ...unicom, secretFile: 'none.key' }],
      /^SIM_ACCOUNTS_FILE, unicom: \/none\.key cannot be read \(ENOENT\)$/,
    ],
    [
      'an empty secret',
      [{ ...unicom, secretFile: 'empty.key' }],
      /^SIM_ACCOUNTS_FILE, unicom: empty\.key is empty$/,
    ],
    [
      'a simulator with a secret',
      [{ name: 's', carrier: 'simulator', secretFile: 'x' }],
      /account 1: .*"secretFile"/,
    ],
    ['a fault of a real carrier', [{ ...unicom, fault: 'slow' }], /account 1: .*"fault"/],
    [
      'too many accounts',
      Array.from({ length: 101 }, (_, n) => ({ ...unicom, name: `a${n}` })),
      /SIM_ACCOUNTS_FILE: .*100/,
    ],
  ])('%s', async (_what, accounts, message) => {
    expect(await problemOf(accounts)).toMatch(message)
  })

  test('a file that is missing', () => {
    const config = readConfig({ SIM_ACCOUNTS_FILE: '/nowhere/accounts.json' })
    const open = () => openCarriers({ config, rateCounters: new LocalRateCounters(), now: Date.now })
    expect(open).toThrow(ConfigError)
    expect(open).toThrow('SIM_ACCOUNTS_FILE: /nowhere/accounts.json cannot be read (ENOENT)')
  })

  test('an address without TLS on this machine is taken, as of a proxy', async () => {
    expect(await problemOf([{ ...unicom, url: 'http://127.0.0.1:8443' }])).toBe('opened')
  })
})
