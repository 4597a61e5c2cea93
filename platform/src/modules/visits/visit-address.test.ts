import { describe, expect, test } from 'vitest'
import { ConfigError, isHttps, readConfig } from '../../config.ts'
import { createVisitAddress } from './visit-address.ts'

const code = '1000000000000000001'
const addressOf = (env: Record<string, string> = {}) => createVisitAddress(readConfig(env), () => 8080)

describe('the start refuses', () => {
  test.each([
    ['VISIT_HOST', { PUBLIC_URL: 'https://busbar.example', VISIT_HOST: 'visit.busbar.example' }],
    ['VISIT_HOST', { PUBLIC_URL: 'https://cloud.busbar.example', VISIT_HOST: 'visit.busbar.example' }],
    ['VISIT_HOST', { PUBLIC_URL: 'https://a.busbar.co.uk', VISIT_HOST: 'visit.busbar.co.uk' }],
    [
      'VISIT_HOST',
      { PUBLIC_URL: 'https://a.visit.example', VISIT_HOST: 'visit.example', ALLOW_SAME_SITE_VISITS: '1' },
    ],
    ['VISIT_HOST', { VISIT_HOST: '10.0.0.1' }],
    ['VISIT_HOST', { VISIT_HOST: 'https://visit.example' }],
    ['TLS_KEY_FILE', { TLS_CERT_FILE: '/cert.pem' }],
    ['TLS_CERT_FILE', { TLS_KEY_FILE: '/key.pem' }],
    ['VISIT_TLS_KEY_FILE', { VISIT_TLS_CERT_FILE: '/cert.pem' }],
    ['TLS_CERT_FILE', { VISIT_TLS_CERT_FILE: '/cert.pem', VISIT_TLS_KEY_FILE: '/key.pem' }],
    ['MQTTS_PORT', { MQTTS_PORT: '8883' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://a.example', TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k' }],
  ])('%s of %o', (setting, env) => {
    const start = () => readConfig(env)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(new RegExp(`^${setting}: `))
  })

  test('and accepts a separate site, or one that the operator allows explicitly', () => {
    const apart = { PUBLIC_URL: 'https://busbar.example', VISIT_HOST: 'busbar-visits.example' }
    const suffix = { PUBLIC_URL: 'https://busbar.github.io', VISIT_HOST: 'visits.github.io' }
    const answered = {
      PUBLIC_URL: 'https://busbar.example',
      VISIT_HOST: 'visit.busbar.example',
      ALLOW_SAME_SITE_VISITS: '1',
    }
    for (const env of [apart, suffix, answered, {}]) expect(() => readConfig(env)).not.toThrow()
    expect(addressOf(apart).sharesConsoleSite).toBe(false)
    expect(addressOf(answered).sharesConsoleSite).toBe(true)
    expect(isHttps(readConfig({ TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k' }))).toBe(true)
  })
})

describe('addresses', () => {
  test('by default: this machine, on the listening port', () => {
    const address = addressOf()
    expect(address.consoleOrigin()).toBe('http://localhost:8080')
    expect(address.urlOf(address.hostOf(code, 'page'))).toBe(`http://${code}.visit.localhost:8080/`)
    expect(address.hostOf(code, 'plc')).toBe(`plc--${code}.visit.localhost`)
    expect(address.offersVisits('localhost:8080')).toBe(true)
    expect(address.offersVisits('192.168.1.5:8080')).toBe(false)
    expect(address.offersVisits('factory-pc:8080')).toBe(false)
  })

  test('of a deployment, with the public port', () => {
    const address = addressOf({ PUBLIC_URL: 'https://busbar.example:8443', VISIT_HOST: 'visits.example' })
    expect(address.consoleOrigin()).toBe('https://busbar.example:8443')
    expect(address.originOf(address.hostOf(code, 'page'))).toBe(`https://${code}.visits.example:8443`)
    expect(address.offersVisits('busbar.example')).toBe(true)
    expect(address.offersVisits('203.0.113.9')).toBe(false)
    const own = addressOf({ PUBLIC_URL: 'https://busbar.example', VISIT_HOST: 'visits.example:9000' })
    expect(own.urlOf(own.hostOf(code, 'page'))).toBe(`https://${code}.visits.example:9000/`)
  })

  test('a public console without a VISIT_HOST offers no visits', () => {
    const address = addressOf({ PUBLIC_URL: 'https://busbar.example' })
    expect(address.isOff).toBe(true)
    expect(address.offersVisits('busbar.example')).toBe(false)
    expect(address.parseHost(`${code}.visit.localhost`)).toBeUndefined()
  })
})

describe('a brand with its own visit domain', () => {
  const site = { visitDomain: 'delta-visits.example', consoleHosts: ['cloud.delta.example', 'delta.example'] }
  const env = { PUBLIC_URL: 'https://busbar.example:8443', VISIT_HOST: 'visits.example:9000' }
  const address = createVisitAddress(
    readConfig(env),
    () => 8080,
    () => [site],
  )
  const own = `${code}.delta-visits.example`

  test('sends people there, and back to its own console, on the port of consoles', () => {
    expect(address.hostOf(code, 'page', 'Delta.example:8443')).toBe(own)
    expect(address.urlOf(own)).toBe(`https://${own}:8443/`)
    expect(address.consoleOrigin(`${own}:8443`)).toBe('https://cloud.delta.example:8443')
    expect(address.parseHost(`plc--${own}:8443`)).toEqual({ host: `plc--${own}`, code, target: 'plc' })
    expect(address.owns(`anything.${site.visitDomain}`)).toBe(true)
    expect(address.offersVisits('delta.example')).toBe(true)
  })

  test('leaves everybody else where they were', () => {
    const main = `${code}.visits.example`
    expect(address.hostOf(code, 'page', 'busbar.example')).toBe(main)
    expect(address.consoleOrigin(main)).toBe('https://busbar.example:8443')
    expect(address.urlOf(main)).toBe(`https://${main}:9000/`)
    expect(address.owns('cloud.delta.example')).toBe(false)
    expect(address.parseHost(`${code}.evildelta-visits.example`)).toBeUndefined()
    expect(address.parseHost(`${code}.delta-visits.example.evil.example`)).toBeUndefined()
  })
})

test('a brand’s console beside the visit domain of the deployment keeps its cookies when a visit is cleared', () => {
  const address = createVisitAddress(
    readConfig({ PUBLIC_URL: 'https://busbar.example', VISIT_HOST: 'visits.delta.example' }),
    () => 8080,
    () => [{ visitDomain: '', consoleHosts: ['cloud.delta.example'] }],
  )
  expect(address.sharesConsoleSite).toBe(true)
})

describe('a host is a page of a machine, or unknown', () => {
  const address = addressOf()
  test.each([
    [`${code}.visit.localhost`, { host: `${code}.visit.localhost`, code, target: 'page' }],
    [`${code}.VISIT.localhost:1`, { host: `${code}.visit.localhost`, code, target: 'page' }],
    [`web-1--${code}.visit.localhost`, { host: `web-1--${code}.visit.localhost`, code, target: 'web-1' }],
    [`${code}.visit.localhost.`, undefined],
    [`${code}.visit.localhost.evil.example`, undefined],
    [`x${code}.visit.localhost`, undefined],
    [`a.${code}.visit.localhost`, undefined],
    [`--${code}.visit.localhost`, undefined],
    [`a--b--${code}.visit.localhost`, undefined],
    [`-a--${code}.visit.localhost`, undefined],
    [`page--${code}.visit.localhost`, undefined],
    [`agent--${code}.visit.localhost`, undefined],
    [`${code}.visitXlocalhost`, undefined],
    [`${code}.visit.localhost:80:80`, undefined],
    [`evil@${code}.visit.localhost`, undefined],
    ['１234567890123456789.visit.localhost', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (host, expected) => {
    expect(address.parseHost(host)).toEqual(expected)
  })

  test('hosts in the visit domain never belong to the console', () => {
    for (const host of ['visit.localhost', 'x.visit.localhost.', `${code}.VISIT.LOCALHOST:80`])
      expect(address.owns(host)).toBe(true)
    for (const host of ['localhost', 'notvisit.localhost', 'visit.localhost.example', undefined])
      expect(address.owns(host)).toBe(false)
  })
})
