import { request } from 'node:http'
import {
  accounts,
  type BrandFields,
  brands,
  clientHeader,
  codes,
  operator,
  productVersion,
} from '@busbar/contract'
import type { createUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { dressPage } from '../../kernel/http/console-files.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { createUpload } from '../uploads/uploads-service.ts'
import { areApart } from './brand-hosts.ts'
import { createBrand, updateBrand } from './brands-service.ts'
import { listBrands } from './brands-store.ts'
import { presentBrand } from './brands-views.ts'

const publicUrl = 'http://busbar.example'
const site = useSite({ PUBLIC_URL: publicUrl, VISIT_HOST: 'visits.example' })

/** The places of hosts and visit domains have their own test. */
const anywhere = { areApart: () => true }

let counter = 0
function fieldsOf(overrides: Partial<BrandFields> = {}): BrandFields {
  const versions = { latest: '1.4.2', lowest: '1.1.0' }
  return {
    hosts: [`cloud-${++counter}.example`],
    isDefault: false,
    platformName: { cn: '德尔塔云', en: 'Delta Cloud' },
    logoUrl: '',
    logoDarkUrl: '',
    loginImageUrl: '',
    faviconUrl: '',
    accent: '#0e8c8c',
    emailSender: '',
    smsSignature: '德尔塔',
    versions: { pc: versions, mobile: versions, tv: versions },
    downloads: [],
    icp: '',
    visitDomain: '',
    ...overrides,
  }
}

/** Asks the platform by another name than its address, which `fetch` does not do. */
function ask(
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { port: site.webPort, host: '127.0.0.1', path, method, headers: { ...headers, host } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    asked.on('error', reject).end()
  })
}

const brandAt = async (host: string) => {
  const { text } = await ask(host, brands.getBrand.path)
  return (JSON.parse(text) as { hwdata: { id: number; platformName: { en: string } } }).hwdata
}

/** Creates a brand and waits until the platform has loaded it. */
async function setUp(fields: BrandFields): Promise<number> {
  const id = await createBrand(site.db, fields, anywhere)
  await site.platform.facts.record(site.db, { kind: 'brand.changed', brandId: id, at: Date.now() })
  await vi.waitFor(async () => expect((await brandAt(fields.hosts[0] ?? '')).id).toBe(id), 10_000)
  return id
}

describe('a host', () => {
  test('has the brand it was given to, on any port and in any case', async () => {
    const fields = fieldsOf()
    const id = await setUp(fields)
    for (const host of [`${fields.hosts[0]}:8443`, fields.hosts[0]?.toUpperCase() ?? ''])
      expect((await brandAt(host)).id).toBe(id)
  })

  test('without a brand gets the default one, localhost the main one', async () => {
    const id = await setUp(fieldsOf({ isDefault: true }))
    expect((await brandAt('unheard-of.example')).id).toBe(id)
    expect((await brandAt(`localhost:${site.webPort}`)).id).toBe(1)
    expect((await brandAt('127.0.0.1')).id).toBe(1)
    const all = await listBrands(site.db)
    expect(all.filter(({ isDefault }) => isDefault).map((brand) => brand.id)).toEqual([id])
  })

  test('of another brand is refused, and that brand does not change', async () => {
    const taken = fieldsOf()
    await setUp(taken)
    const other = fieldsOf({ hosts: ['free.example', ...taken.hosts] })
    const making = site.db.transaction().execute((trx) => createBrand(trx, other, anywhere))
    await expect(making).rejects.toMatchObject({ code: 'BRAND_HOST_TAKEN' })
    expect((await listBrands(site.db)).some(({ hosts }) => hosts.includes('free.example'))).toBe(false)
  })
})

describe('an archived brand', () => {
  const visitDomain = 'archived-visits.example'
  let id: number
  let host: string
  let boss: Awaited<ReturnType<typeof createUser>>
  beforeEach(async () => {
    const fields = fieldsOf({ visitDomain: `v${++counter}.${visitDomain}` })
    id = await setUp(fields)
    host = fields.hosts[0] ?? ''
    boss = await site.createUser()
    await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  })
  const archive = () => site.as(boss).call(operator.archiveBrand, { id })
  const listIds = async (only: 'used' | 'archived') =>
    (await site.as(boss).call(operator.listBrands, { only, pageSize: 100 })).list.map((brand) => brand.id)

  test('shows the default brand on its hosts at once, until it is taken back into use', async () => {
    const { id: before } = await brandAt('unheard-of.example')
    await archive()
    expect((await brandAt(host)).id).toBe(before)
    expect([(await listIds('used')).includes(id), (await listIds('archived')).includes(id)]).toEqual([
      false,
      true,
    ])
    await site.as(boss).call(operator.unarchiveBrand, { id })
    expect((await brandAt(host)).id).toBe(id)
  })

  test('ends the sessions that began on it, and no others', async () => {
    const person = await site.createUser()
    const there = await site.signIn(person.userId, { brandId: id })
    await archive()
    const rows = await site.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', person.userId)
      .execute()
    expect(rows.map((row) => row.id)).toEqual([person.sessionId])
    const change = await site.db
      .selectFrom('right_changes')
      .select(['user_id', 'reason'])
      .where('session_id', '=', there.sessionId)
      .executeTakeFirst()
    expect(change).toEqual({ user_id: person.userId, reason: 'brandArchived' })
  })

  test('keeps its hosts from other brands, and its visit domain from consoles', async () => {
    const brand = (await listBrands(site.db)).find((one) => one.id === id)
    await archive()
    const making = site.db
      .transaction()
      .execute((trx) => createBrand(trx, fieldsOf({ hosts: [host] }), anywhere))
    await expect(making).rejects.toMatchObject({ code: 'BRAND_HOST_TAKEN' })
    expect((await ask(`x.${brand?.visitDomain}`, '/login')).status).toBe(421)
  })

  test('is never the default brand', async () => {
    const client = site.as(boss)
    const all = await listBrands(site.db)
    const main = all.find(({ isDefault }) => isDefault)
    await expect(client.call(operator.archiveBrand, { id: main?.id ?? 0 })).rejects.toMatchObject({
      code: 'BRAND_IS_DEFAULT',
    })
    await archive()
    await expect(updateBrand(site.db, id, fieldsOf({ isDefault: true }), anywhere)).rejects.toMatchObject({
      code: 'BRAND_IS_ARCHIVED',
    })
    await expect(client.call(operator.archiveBrand, { id: 999_999 })).rejects.toMatchObject({ code: '404' })
  })
})

test('a brand takes only pictures that were uploaded for brands', async () => {
  const owner = await site.createUser()
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const brandLogo = await createUpload(site.db, { userId: owner.userId, purpose: 'brand', bytes })
  const otherLogo = await createUpload(site.db, { userId: owner.userId, purpose: 'logo', bytes })
  const id = await createBrand(site.db, fieldsOf({ logoUrl: brandLogo }), anywhere)
  await expect(updateBrand(site.db, id, fieldsOf({ logoUrl: otherLogo }), anywhere)).rejects.toMatchObject({
    code: 'PICTURE_UNKNOWN',
  })
  const wrongKind = brandLogo.replace('.svg', '.png')
  await expect(updateBrand(site.db, id, fieldsOf({ logoUrl: wrongKind }), anywhere)).rejects.toThrow(Failure)
  await expect(updateBrand(site.db, 999_999, fieldsOf(), anywhere)).rejects.toMatchObject({ code: '404' })
})

describe('the public data of an enterprise', () => {
  let bare: number
  let faced: number
  beforeEach(async () => {
    const rows = await site.db
      .insertInto('enterprises')
      .values([{ name: 'Secret GmbH' }, { name: 'Delta AG', platform_name: 'Delta Remote' }])
      .returning('id')
      .execute()
    bare = rows[0]?.id ?? 0
    faced = rows[1]?.id ?? 0
  })

  test('is the face it gave itself; without one it answers as one that does not exist', async () => {
    const client = site.as(undefined)
    expect(await client.call(brands.getLogo, { eid: faced })).toMatchObject({
      platformName: 'Delta Remote',
      name: 'Delta AG',
    })
    const hidden = await client.call(brands.getLogo, { eid: bare })
    expect(hidden).toEqual(await client.call(brands.getLogo, { eid: 999_999 }))
    expect(JSON.stringify(hidden)).not.toContain('Secret')
  })
})

test('the versions are the declared ones until an operator sets others', async () => {
  const client = site.as(undefined)
  expect((await brandAt('localhost')).platformName.en).toBe('Busbar')
  const { text } = await ask('localhost', `${brands.getVersions.path}?client=pc`)
  expect(JSON.parse(text)).toMatchObject({ hwdata: { latest: '1.5.0', lowest: '1.1.0' } })
  const tv = await ask('localhost', `${brands.getVersions.path}?client=tv`)
  expect(JSON.parse(tv.text)).toMatchObject({ hwdata: { latest: '1.3.0' } })
  await expect(client.call(brands.getVersions, { client: 'fax' as 'pc' })).rejects.toMatchObject({
    http: 400,
  })
})

describe('a client below the lowest version of its brand', () => {
  const old = { latest: '1.6.0', lowest: '1.5.10' }
  const never = { latest: '99.0.0', lowest: '99.0.0' }
  const downloads = [{ name: 'Android', url: 'https://delta.example/app.apk' }]
  const host = 'old-clients.example'
  beforeAll(async () => {
    const versions = { pc: never, mobile: old, tv: old }
    await setUp(fieldsOf({ hosts: [host], versions, downloads }))
  })
  const call = (client: string | undefined, lang = 'en') =>
    ask(host, `${codes.listCountryCodes.path}?lang=${lang}`, {
      headers: client === undefined ? {} : { [clientHeader]: client },
    })
  const codeOf = async (client: string | undefined) => JSON.parse((await call(client)).text).error?.code

  test('was never refused', async () => {
    const { status, text } = await call('mobile/1.5.9')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      hwcode: 420,
      hwdata: { version: '1.5.9', ...old, downloads },
      error: {
        code: 'CLIENT_TOO_OLD',
        message:
          'Version 1.5.9 of this app is no longer supported. Update it to 1.5.10 or later: Android https://delta.example/app.apk',
      },
    })
    expect(JSON.parse((await call('tv/0.9.0', 'cn')).text).error.message).toBe(
      '应用版本 0.9.0 过旧，已停止支持，请更新到 1.5.10 或更高版本：Android https://delta.example/app.apk',
    )
    expect(JSON.parse((await call('pc/1.6.0')).text).error.message).toBe(
      'Version 1.6.0 of this page is no longer supported. Reload the page.',
    )
  })

  test('can ask which versions there are', async () => {
    const headers = { [clientHeader]: 'mobile/1.0.0' }
    const asked = await ask(host, `${brands.getVersions.path}?client=mobile`, { headers })
    expect(JSON.parse(asked.text)).toMatchObject({ hwcode: 0, hwdata: old })
    expect(JSON.parse((await ask(host, brands.getBrand.path, { headers })).text)).toMatchObject({ hwcode: 0 })
  })

  test.each([
    undefined,
    '',
    'mobile/1.5.10',
    'mobile/1.10.0',
    'mobile/2.0.0-beta',
    'mobile',
    'fax/0.1.0',
    `pc/${productVersion}`,
  ])('does not include %j', async (client) => {
    expect(await codeOf(client)).toBeUndefined()
  })
})

describe('the page', () => {
  const page =
    '<html lang="zh-CN"><head><link rel="icon" href="/favicon.svg" /><title>Busbar</title></head></html>'
  const faceOf = (fields: BrandFields) => presentBrand({ ...fields, id: 7, archivedAt: null })

  test('has the name and colour of the brand before any script runs', () => {
    const html = dressPage(page, faceOf(fieldsOf()), 'en')
    expect(html).toContain('<title>Delta Cloud</title>')
    expect(html).toContain('<html lang="zh-CN" data-brand style="--brand:#0e8c8c">')
  })

  test('keeps a name that looks like markup a name', () => {
    const name = '</title><script>$&"\''
    const html = dressPage(page, faceOf(fieldsOf({ platformName: { cn: name, en: name } })), 'cn')
    expect(html).not.toContain('<script')
    expect(html.match(/<\/title>/g)).toHaveLength(1)
  })
})

describe('a request that changes something, with a cookie', () => {
  test.each([
    ['its own page on the host of a brand', (host: string) => `http://${host}`, 200],
    ['another site', () => 'http://evil.example', 403],
    ['the main console', () => publicUrl, 403],
  ])('from %s', async (_, originOf, status) => {
    const fields = fieldsOf()
    const id = await setUp(fields)
    const [host = ''] = fields.hosts
    const user = await site.createUser()
    await site.db.updateTable('sessions').set({ brand_id: id }).where('id', '=', user.sessionId).execute()
    const answer = await ask(host, accounts.selectInfo.path, {
      method: 'POST',
      headers: { cookie: `token=${user.token}`, origin: originOf(host) },
    })
    expect(answer.status).toBe(status)
  })
})

describe('consoles and machines’ pages stay apart', () => {
  const config = readConfig({ PUBLIC_URL: 'https://busbar.example', VISIT_HOST: 'visits.example' })
  const others = [{ hosts: ['cloud.delta.example'], visitDomain: 'delta-visits.example' }]
  const fits = (hosts: string[], visitDomain = '') => areApart({ hosts, visitDomain }, others, config)

  test.each([
    ['a console within the visit domain of the deployment', ['evil.visits.example'], ''],
    ['a console within that of another brand', ['x.delta-visits.example'], ''],
    ['a console that is a visit domain', ['delta-visits.example'], ''],
    ['a visit domain above another brand’s console', ['new.example'], 'delta.example'],
    ['a visit domain beside the main console', ['new.example'], 'visits.busbar.example'],
    ['a visit domain beside its own console', ['cloud.new.example'], 'visits.new.example'],
    ['a visit domain within another', ['new.example'], 'x.visits.example'],
    ['a visit domain that is taken', ['new.example'], 'delta-visits.example'],
    ['a visit domain without a console', [], 'new-visits.example'],
  ])('refusing %s', (_, hosts, visitDomain) => {
    expect(fits(hosts, visitDomain)).toBe(false)
  })

  test('and a console is never within a visit domain, whatever the deployment answers for', () => {
    const lenient = { ...config, ALLOW_SAME_SITE_VISITS: true }
    const shares = { hosts: ['cloud.new.example'], visitDomain: 'visits.new.example' }
    expect(areApart(shares, others, lenient)).toBe(true)
    expect(areApart({ ...shares, visitDomain: 'new.example' }, others, lenient)).toBe(false)
  })

  test('and accepts separate domains', () => {
    expect(fits(['cloud.new.example'])).toBe(true)
    expect(fits(['cloud.new.example', 'second.localhost'], 'new-visits.example')).toBe(true)
  })
})
