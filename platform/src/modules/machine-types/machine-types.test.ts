import { brands, operator, type RequestOf } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { pngHead } from '../../../test-support/uploads/png.ts'

const site = useSite()
let boss: TestUser
beforeAll(async () => {
  boss = await site.createUser({ name: 'Olga Op' })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

let counter = 0
function fieldsOf(
  overrides: Partial<RequestOf<typeof operator.createMachineType>> = {},
): RequestOf<typeof operator.createMachineType> {
  const type = `type-${++counter}`
  return {
    type,
    name: { cn: '压铸机', en: 'Die caster' },
    pattern: '',
    picture: 'oven',
    place: 200,
    ...overrides,
  }
}

const create = (overrides?: Parameters<typeof fieldsOf>[0]) =>
  site.as(boss).call(operator.createMachineType, fieldsOf(overrides))

async function findRow(id: number) {
  const { list } = await site.as(boss).call(operator.listMachineTypes, { pageSize: 200 })
  return list.find((row) => row.id === id)
}

async function readMap(version?: string) {
  const map = await site.as(undefined).call(brands.listIcons, version === undefined ? {} : { version })
  return 'notModified' in map ? undefined : map
}

describe('the map of machine types', () => {
  test('answers a pattern and the address of a picture, not drawing instructions', async () => {
    await create({ type: 'caster', pattern: '4412*，4500-4599' })
    const map = await readMap()
    const caster = map?.items.find(({ type }) => type === 'caster')
    expect(caster).toMatchObject({ pattern: '4412*, 4500-4599', name: { cn: '压铸机', en: 'Die caster' } })
    expect(caster?.image).toMatch(/^\/machine-types\/oven\.[0-9a-f]{16}\.svg$/)
    expect(map?.items.find(({ type }) => type === 'chiller')).toMatchObject({ pattern: '' })
  })

  test('is sent once: a client that has it gets 304, until something of it changes', async () => {
    const version = (await readMap())?.version
    expect(await readMap(version)).toBeUndefined()
    const { id } = await create()
    const next = (await readMap(version))?.version
    expect(next).not.toBe(version)
    await site.as(boss).call(operator.removeMachineType, { id })
    expect(await readMap(version)).toBeUndefined()
  })

  test('has harmless pictures that a browser caches permanently', async () => {
    const image = (await readMap())?.default.image ?? ''
    const answer = await fetch(`${site.url}${image}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.text()).toContain('id="picture"')
    const other = image.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')
    expect((await fetch(`${site.url}${other}`)).status).toBe(404)
    expect((await fetch(`${site.url}/machine-types/..%2fpictures.ts`)).status).toBe(404)
  })
})

describe('a machine type', () => {
  test.each(['^(8+)+$', '86[0-9]*', '*', '8612', '86-8'])(
    'accepts no regular expression and no incomplete code as a pattern: %s',
    async (pattern) => {
      const failure = await failureOf(site.as(boss), operator.createMachineType, fieldsOf({ pattern }))
      expect(failure).toMatchObject({ http: 400, field: 'pattern' })
    },
  )

  test('takes a picture of pixels that was uploaded for one, and no other address', async () => {
    const upload = (purpose: brands.UploadPurpose) =>
      site
        .as(boss)
        .call(brands.createUpload, { purpose, file: new File([pngHead(8, 8, ++counter)], 'a.png') })
    const { url } = await upload('machineType')
    const { id } = await create({ picture: url })
    expect(await findRow(id)).toMatchObject({ picture: url, image: url, icon: '' })

    const { url: logo } = await upload('brand')
    const wrong = fieldsOf({ picture: logo })
    expect(await site.refusalOf(boss, operator.createMachineType, wrong)).toBe('PICTURE_UNKNOWN')
    for (const picture of ['https://evil.example/a.png', url.replace('png', 'svg'), '/machine-types/x.svg']) {
      const failure = await failureOf(site.as(boss), operator.createMachineType, fieldsOf({ picture }))
      expect(failure.http, picture).toBe(400)
    }
  })

  test('names the types before it that take codes of its pattern', async () => {
    const first = await create({ pattern: '71*', place: 1 })
    const second = await create({ pattern: '7100-7199', place: 2 })
    const third = await create({ pattern: '72*', place: 3 })
    expect((await findRow(first.id))?.losesTo).toEqual([])
    expect((await findRow(second.id))?.losesTo).toMatchObject([{ id: first.id, code: '7100000000000000000' }])
    expect((await findRow(third.id))?.losesTo).toEqual([])
    const { list } = await site.as(boss).call(operator.listMachineTypes, { only: 'overlaps' })
    expect(list.map(({ id }) => id)).toEqual([second.id])
  })

  test('of a code is the first in order that matches it, and changes with the order', async () => {
    const wide = await create({ pattern: '73*', place: 1 })
    const narrow = await create({ pattern: '7312*', place: 2 })
    const code = '7312000000000000000'
    const ask = async () => (await site.as(boss).call(operator.findMachineType, { code })).machineType?.id
    expect(await ask()).toBe(wide.id)
    const row = await findRow(narrow.id)
    if (!row) throw new Error('the type is not listed')
    const { type, name, pattern, picture } = row
    await site
      .as(boss)
      .call(operator.updateMachineType, { id: narrow.id, type, name, pattern, picture, place: 1 })
    expect(await ask()).toBe(narrow.id)
    const places = (await site.as(boss).call(operator.listMachineTypes, { pageSize: 200 })).list
    expect(places.map(({ place }) => place)).toEqual(places.map((_, index) => index + 1))
  })

  test('of a code without a pattern is the registered one', async () => {
    // A code by chance may have one of the patterns above.
    const { code } = await site.createMachine({ owner: boss.userId, code: '0808080808080808080' })
    await site.db.updateTable('machines').set({ type: 'chiller' }).where('code', '=', code).execute()
    const found = await site.as(boss).call(operator.findMachineType, { code })
    expect(found).toMatchObject({ by: 'type', registered: true, machineType: { type: 'chiller' } })
    const none = await site.as(boss).call(operator.findMachineType, { code: '0909090909090909090' })
    expect(none).toEqual({ machineType: null, by: null, registered: false, saysType: '' })
  })

  test('cannot take the identifier of another, and is in the audit log', async () => {
    const { id } = await create({ type: 'forge', name: { cn: '锻压机', en: 'Forge press' } })
    const taken = fieldsOf({ type: 'forge' })
    expect(await site.refusalOf(boss, operator.createMachineType, taken)).toBe('MACHINE_TYPE_TAKEN')
    const { id: other } = await create()
    const change = { ...taken, id: other }
    expect(await site.refusalOf(boss, operator.updateMachineType, change)).toBe('MACHINE_TYPE_TAKEN')
    await site.as(boss).call(operator.removeMachineType, { id })
    expect((await failureOf(site.as(boss), operator.removeMachineType, { id })).http).toBe(404)
    const { list } = await site.as(boss).call(operator.listAudit, { search: 'machineType.remove' })
    expect(list[0]).toMatchObject({ actor: 'Olga Op', target: 'Forge press' })
  })
})
