import { once } from 'node:events'
import { request } from 'node:http'
import { type ApiError, brands, limits, sites } from '@busbar/contract'
import {
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pngHead } from '../../../test-support/uploads/png.ts'
import { cleanSvg } from './clean-svg.ts'
import { readPicture } from './read-picture.ts'
import { removeUnused } from './uploads-store.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="#2a5be0"/></svg>'
const clean = (svg: string) => cleanSvg(Buffer.from(svg))
const inSvg = (content: string) =>
  clean(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`)

describe('an SVG', () => {
  test('of 30,000 attributes was searched for each of them', () => {
    const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ')
    expect(inSvg(`<g ${attributes(19_000)}/>`)).toContain('<g>')
    expect(inSvg(`<g ${attributes(30_000)}/>`)).toBeUndefined()
  })

  test('keeps drawing elements', () => {
    const drawn = inSvg(
      '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
        '<style>.b{fill:url(#a)}</style><text class="b" x="1">母线 &amp; Co</text><use xlink:href="#a"/>',
    )
    expect(drawn).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="a"><stop offset="0" stop-color="red">' +
        '</stop></linearGradient></defs><style>.b{fill:url(#a)}</style><text class="b" x="1">母线 &amp; Co</text>' +
        '<use href="#a"></use></svg>',
    )
  })

  test.each([
    ['a script', '<script>alert(1)</script>'],
    [
      'a script of the XHTML namespace',
      '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    ],
    ['an event', '<path onload="alert(1)" d="M0 0"/>'],
    [
      'foreign content',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">alert(1)</body></foreignObject>',
    ],
    ['a link', '<a xlink:href="javascript:alert(1)"><text>alert</text></a>'],
    ['a picture from elsewhere', '<image href="https://evil.example/alert.png"/>'],
    ['a use from elsewhere', '<use href="https://evil.example/alert.svg#x"/>'],
    ['a use of data', '<use xlink:href="data:image/svg+xml,alert"/>'],
    ['an animation of a link', '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ['a fill from elsewhere', '<path fill="url(https://evil.example/alert)"/>'],
    ['a style that fetches', '<path style="background:url(//evil.example/alert)"/>'],
    ['a sheet that imports', '<style>@import "//evil.example/alert"</style>'],
    ['a sheet that hides its url', '<style>a{fill:u\\72l(//evil.example/alert)}</style>'],
    ['a sheet in pieces', '<style>a{fill:ur<![CDATA[l(//evil.example/alert)}]]></style>'],
    ['markup out of a CDATA section', '<text><![CDATA[<script>alert(1)</script>]]></text>'],
  ])('loses %s', (_, content) => {
    const left = inSvg(content)
    expect(left).toBeDefined()
    expect(left).not.toMatch(/<(script|a|image|foreignObject|animate)\b|onload|evil|javascript|data:/)
  })

  test.each([
    ['a document type', `<!DOCTYPE svg [<!ENTITY e "x">]>${logo}`],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['no namespace', '<svg viewBox="0 0 8 8"/>'],
    ['no end', logo.replace('</svg>', '')],
    ['a bomb of uses', logo.replace('</svg>', `${'<use href="#a"/>'.repeat(21)}</svg>`)],
    ['a tower', `${logo.replace('</svg>', '')}${'<g>'.repeat(80)}${'</g>'.repeat(80)}</svg>`],
    ['nothing', ''],
  ])('with %s is refused', (_, svg) => {
    expect(clean(svg)).toBeUndefined()
  })
})

describe('a picture', () => {
  test('has the type of its content', () => {
    expect(readPicture(pngHead(8, 8))?.kind).toBe('png')
    expect(readPicture(Buffer.from('ffd8ffe000040000ffc0000b080008000801', 'hex'))?.kind).toBe('jpg')
    expect(readPicture(Buffer.from('<html><script>alert(1)</script></html>'))).toBeUndefined()
    expect(readPicture(Buffer.from('GIF89a'))).toBeUndefined()
  })

  test('that unfolds to gigabytes of pixels is refused', () => {
    expect(readPicture(pngHead(limits.uploadPixelsMax, 1))).toBeDefined()
    expect(readPicture(pngHead(limits.uploadPixelsMax + 1, 1))).toBeUndefined()
    expect(readPicture(pngHead(0, 1))).toBeUndefined()
  })
})

describe('an upload', () => {
  let site: TestPlatform
  let operator: TestUser
  beforeAll(async () => {
    site = await startTestPlatform()
    operator = await createUser(site.db)
    await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  })
  afterAll(() => site.stop())

  const upload = (user: TestUser, content: string, purpose: brands.UploadPurpose = 'brand') =>
    site.as(user).call(brands.createUpload, { purpose, file: new File([content], 'logo.html') })

  test('is served under the platform’s type, without scripts', async () => {
    const { url } = await upload(operator, logo.replace('<path', '<script>alert(1)</script><path'))
    const answer = await fetch(`${site.url}${url}`)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).not.toContain('script')
    expect((await fetch(`${site.url}${url.replace('svg', 'png')}`)).status).toBe(404)
  })

  test('is refused to people without the right to set it', async () => {
    const stranger = await createUser(site.db)
    for (const purpose of ['brand', 'logo', 'machineType'] as const) {
      const file = new File([logo], 'logo.svg')
      const failure = await failureOf(site.as(stranger), brands.createUpload, { purpose, file })
      expect(failure.http).toBe(403)
    }
  })

  test.each([
    ['akey', 'taken'],
    ['bkey', 'taken'],
    ['visitor', 403],
    ['stranger', 403],
  ] as const)('for a machine, of its %s: %s', async (role, expected) => {
    const user = await createUser(site.db)
    const owner = role === 'akey' ? user.userId : operator.userId
    const { machineId } = await createMachine(site.db, { owner })
    if (role === 'bkey' || role === 'visitor') await grantMachine(site.db, user.userId, machineId, { role })
    const file = new File([pngHead(8, 8, user.userId)], 'pump.png')
    const result = await site
      .as(user)
      .call(brands.createUpload, { purpose: 'projectImage', file })
      .then(() => 'taken')
      .catch((error: ApiError) => error.http)
    expect(result).toBe(expected)
  })

  test('for a machine or a type that can be a program is refused, whatever its name', async () => {
    await createMachine(site.db, { owner: operator.userId })
    for (const purpose of ['projectImage', 'machineType'] as const) {
      const file = new File([logo], 'pump.png', { type: 'image/png' })
      expect((await failureOf(site.as(operator), brands.createUpload, { purpose, file })).code).toBe(
        'PICTURE_KIND',
      )
    }
  })

  test('without a sign-in is refused before any of its file is taken into memory', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=a', 'content-length': '2000000' }
    const sending = request(`${site.url}${brands.createUpload.path}`, { method: 'POST', headers })
    sending.on('error', () => {})
    sending.flushHeaders()
    try {
      const [answer] = await once(sending, 'response', { signal: AbortSignal.timeout(10_000) })
      expect(answer.statusCode).toBe(401)
    } finally {
      sending.destroy()
    }
  })

  test('that is not a picture, or too large, is refused', async () => {
    const file = new File(['<html></html>'], 'logo.svg', { type: 'image/svg+xml' })
    const failure = await failureOf(site.as(operator), brands.createUpload, { purpose: 'brand', file })
    expect(failure.code).toBe('PICTURE_INVALID')
    const large = new File([new Uint8Array(limits.uploadBytesMax + 1)], 'logo.png')
    const tooLarge = await failureOf(site.as(operator), brands.createUpload, {
      purpose: 'brand',
      file: large,
    })
    expect(tooLarge.http).toBe(400)
  })

  test('of a plan that was replaced or removed was kept without end, and filled its person up', async () => {
    const user = await createUser(site.db)
    const { call } = site.as(user)
    const [first, second, other] = await Promise.all(
      ['a', 'b', 'c'].map(async (id) => {
        const drawing = logo.replace('<path', `<path id="${id}"`)
        return (await upload(user, drawing, 'sitePlan')).url
      }),
    )
    const brand = (await upload(operator, logo.replace('<path', '<path id="d"'))).url
    const { id } = await call(sites.createSite, {
      name: 'Hall',
      lat: 31,
      lng: 121,
      radiusM: 200,
      address: '',
    })
    const asked = { id, name: 'Floor', picture: first ?? '' }
    const { planId } = await call(sites.addPlan, { ...asked, revision: 1 })
    await call(sites.updatePlan, { ...asked, planId, picture: second ?? '', revision: 2 })
    const kept = async () => {
      const answers = await Promise.all(
        [first, second, other, brand].map((url) => fetch(`${site.url}${url}`)),
      )
      return answers.map(({ status }) => status)
    }
    const hourMs = 3_600_000
    await removeUnused(site.db, new Date(Date.now() - hourMs))
    expect(await kept()).toEqual([200, 200, 200, 200])
    await removeUnused(site.db, new Date(Date.now() + hourMs))
    expect(await kept()).toEqual([404, 200, 404, 200])
    await call(sites.deletePlan, { id, planId, revision: 3 })
    await removeUnused(site.db, new Date(Date.now() + hourMs))
    expect(await kept()).toEqual([404, 404, 404, 200])
  })

  test('of a machine stays as long as the machine shows it', async () => {
    const machine = await createMachine(site.db, { owner: operator.userId })
    const file = new File([pngHead(9, 9)], 'pump.png')
    const { url } = await site.as(operator).call(brands.createUpload, { purpose: 'projectImage', file })
    const setImage = (image: string | null) =>
      site.db
        .updateTable('machines')
        .set({ project_image: image })
        .where('id', '=', machine.machineId)
        .execute()
    const later = new Date(Date.now() + 3_600_000)
    const statusAfterwards = async () => {
      await removeUnused(site.db, later)
      return (await fetch(`${site.url}${url}`)).status
    }
    await setImage(url)
    expect(await statusAfterwards()).toBe(200)
    await setImage(null)
    expect(await statusAfterwards()).toBe(404)
  })

  const part = '--a\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n'
  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no form', 'multipart/form-data; boundary=a', 'nothing'],
    ['a thousand parts', 'multipart/form-data; boundary=a', `${part.repeat(1000)}--a--\r\n`],
  ])('of %s is a bad request, not a fault', async (_, type, body) => {
    const answer = await fetch(`${site.url}${brands.createUpload.path}`, {
      method: 'POST',
      headers: { 'content-type': type, token: operator.token },
      body,
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { field: 'body' } })
  })
})
