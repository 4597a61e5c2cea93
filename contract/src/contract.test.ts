import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { shortText } from './fields.ts'
import { formToInput } from './form.ts'
import {
  bodyBytesMaxOf,
  errors,
  isLegacyPath,
  kindOnPath,
  machines,
  messages,
  type Route,
  route,
  routes,
  telemetry,
} from './index.ts'
import { openApiDocument } from './openapi.ts'
import { chooseLang, countCharacters } from './text.ts'

describe('a route', () => {
  test('without a permission does not compile', () => {
    const declaration = {
      method: 'GET' as const,
      path: '/api/v1/open',
      title: { cn: '开放', en: 'Open' },
      request: z.object({}),
      answer: z.object({}),
      errors: [],
    }
    // @ts-expect-error `who` is missing
    const open: Route = route(declaration)
    expect(open.who).toBeUndefined()
  })

  test('can only hang its permission on a field it has', () => {
    const declared = route({
      ...machines.getMachineDetail,
      // @ts-expect-error the request has machineID
      who: { right: 'listed', machine: 'machineId' },
    })
    expect(declared.path).toBe(machines.getMachineDetail.path)
  })

  test('has its own path and method', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('that takes a file or more than 100 kB has a load', () => {
    // Machines have a pace of their own (rules/wire.md: pace of a machine).
    const large = routes.filter(
      (one) => one.who !== 'machine' && (one.multipart || bodyBytesMaxOf(one) > 100_000),
    )
    expect(large.map(({ path }) => path)).toContain('/api/v1/data/tags/csv')
    expect(large.filter(({ load }) => load === undefined).map(({ path }) => path)).toEqual([])
  })

  test('refuses a megabyte before its characters are counted, which takes a second', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    const megabyte = 'x'.repeat(1_000_000)
    for (const { request } of routes) {
      for (const field of Object.values<z.ZodType>(request.shape)) field.safeParse(megabyte)
    }
    expect(Math.max(0, ...segment.mock.calls.map(([text]) => text.length))).toBeLessThan(20_000)
    segment.mockRestore()
  })

  test('repeats its data as result only for paths without a version', () => {
    expect(isLegacyPath('/api/machine/select')).toBe(true)
    expect(isLegacyPath('/api/v1/data/history')).toBe(false)
  })

  test('is described with the errors it declares, in both languages', () => {
    for (const lang of ['cn', 'en'] as const) {
      const document = openApiDocument(routes, { title: 'Busbar', version: '1', lang })
      const paths = document.paths as Record<
        string,
        Record<string, { responses: Record<string, { description: string }> }>
      >
      const answer = paths['/api/machine/add']?.post?.responses['200']
      for (const code of machines.addMachine.errors)
        expect(answer?.description).toContain(errors[code].text[lang])
    }
  })
})

describe('a form', () => {
  test('gets the types of the schema, lists from repeated keys or from JSON', () => {
    const history = { tagIds: ['1', '2'], from: '5', to: '7', agg: 'min', unknown: 'x' }
    expect(formToInput(telemetry.getHistory.request, history)).toEqual({
      tagIds: [1, 2],
      from: 5,
      to: 7,
      agg: 'min',
    })
    expect(formToInput(telemetry.getHistory.request, { tagIds: '[3,4]' })).toEqual({ tagIds: [3, 4] })
    expect(formToInput(telemetry.getHistory.request, { tagIds: '9' })).toEqual({ tagIds: [9] })
  })

  test('keeps a machine code a string, whatever it looks like', () => {
    const code = '0000000000000000012'
    expect(formToInput(machines.getMachineState.request, { machineCode: code })).toEqual({
      machineCode: code,
    })
  })

  test('leaves values of another type for validation to name', () => {
    const input = formToInput(telemetry.getHistory.request, { tagIds: ['1'], from: 'yesterday', to: '7' })
    const result = telemetry.getHistory.request.safeParse(input)
    expect(result.error?.issues[0]?.path).toEqual(['from'])
  })

  test('accepts the message tabs by name and by number', () => {
    for (const scene of ['alarm', '3']) {
      expect(
        messages.getTotalUnread.request.parse(formToInput(messages.getTotalUnread.request, { scene })),
      ).toEqual({ scene: 'alarm' })
    }
  })
})

describe('texts', () => {
  test.each([
    ['en', 'zh-CN', 'en'],
    [undefined, 'zh-CN,zh;q=0.9,en;q=0.8', 'cn'],
    [undefined, 'de-DE,en;q=0.8', 'en'],
    [undefined, 'fr', 'cn'],
    ['xx', undefined, 'cn'],
  ])('lang=%s with %s is %s', (wished, header, lang) => {
    expect(chooseLang(wished, header)).toBe(lang)
  })

  test('characters are counted as a person counts them', () => {
    expect(countCharacters('注塑机👩‍👩‍👧e\u0301')).toBe(5)
  })

  test.each([
    ['', false],
    ['   ', false],
    ['字'.repeat(15), true],
    ['字'.repeat(16), false],
    ['x'.repeat(30), true],
    ['x'.repeat(31), false],
    ['👍'.repeat(15), true],
    ['a\u0000b', false],
  ])('a name of up to 15: %j fits: %s', (text, fits) => {
    expect(shortText(1, 15).safeParse(text).success).toBe(fits)
  })
})

test('a missing thing of alarms and SMS signed clients out, and a foreign one was HTTP 403', () => {
  const folders = ['/api/v1/alarm/', '/api/v1/sms/', '/api/msg/v1/ent/', '/api/msg/v1/alarm/']
  const below = routes.flatMap((each: Route) =>
    [each.path, ...(each.aliases ?? [])]
      .filter((path) => folders.some((folder) => path.startsWith(folder)) && !path.includes('/receipts/'))
      .map((path) => ({ path, codes: [...each.errors, '403' as const, '404' as const] })),
  )
  expect(new Set(below.map(({ path }) => folders.find((folder) => path.startsWith(folder)))).size).toBe(4)
  for (const { path, codes } of below) {
    for (const code of codes) {
      const { http, hwcode } = kindOnPath(errors[code], path)
      for (const status of [403, 404]) expect([http, hwcode], `${path} ${code}`).not.toContain(status)
    }
    for (const code of ['403', '404'] as const)
      expect(kindOnPath(errors[code], path)).toMatchObject({ http: 200, hwcode: 420 })
  }
  for (const path of ['/api/v1/visits/1', '/api/v1/sms/receipts/1'])
    expect(kindOnPath(errors['404'], path)).toMatchObject({ http: 404, hwcode: 404 })
})

test('a conflict between two people was answered with HTTP 409', () => {
  const statuses = new Set(Object.values(errors).map(({ http }) => http))
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 413, 429, 500, 503])
  for (const code of ['BOARD_CHANGED', 'AGENT_CONFIG_CHANGED'] as const)
    expect(errors[code]).toMatchObject({ http: 200, hwcode: 420, hwreason: code })
})

describe('the actions on a machine', () => {
  test('is answered with a number of the one table and with no other', () => {
    const { state } = machines.updateMachine.answer.shape
    const { edited, remarkUpdated, removed } = machines.operationStates
    expect([edited, remarkUpdated].map((number) => state.safeParse(number).success)).toEqual([true, true])
    expect([removed, 2, '1'].map((number) => state.safeParse(number).success)).toEqual([false, false, false])
  })

  test('has its own number', () => {
    const numbers = Object.values(machines.operationStates)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})
