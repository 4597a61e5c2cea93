import {
  accounts,
  agentConfig,
  alarmRules,
  boards,
  bodyBytesMaxOf,
  brands,
  limits,
  machines,
  operator,
  type Route,
  routes,
} from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, expect, test } from 'vitest'

const site = useSite()
let person: TestUser
let desk: TestUser
beforeAll(async () => {
  person = await site.createUser()
  desk = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', desk.userId).execute()
})

interface Said {
  status: number
  code: string | undefined
  data: unknown
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

async function send(route: Route, payload: string, type = json, token?: string): Promise<Said> {
  const answer = await site.platform.app.inject({
    method: route.method as 'POST',
    url: route.path,
    payload,
    headers: { 'content-type': type, ...(token ? { token } : {}) },
  })
  const { error, hwdata } = answer.json<{ error?: { code: string }; hwdata?: unknown }>()
  return { status: answer.statusCode, code: error?.code, data: hwdata }
}

/** A JSON body of exactly this number of bytes. */
const ofBytes = (bytes: number) => `{"text":"${'x'.repeat(bytes - 11)}"}`

test.each([
  ['of a stranger', accounts.login, limits.publicBodyBytesMax],
  ['of a signed-in person', machines.addMachine, limits.signedInBodyBytesMax],
  ['of an import', alarmRules.importAlarmRules, limits.largeBodyBytesMax],
])('a body %s has its longest length', async (_, route, bytesMax) => {
  const token = route.who === 'operator' ? desk.token : person.token
  expect(await send(route, ofBytes(bytesMax + 1), json, token)).toEqual({
    status: 413,
    code: '413',
    data: { bytesMax },
  })
  // A body of the maximum length is read, and its missing fields are reported.
  expect(await send(route, ofBytes(bytesMax), json, token)).toMatchObject({ status: 400, code: '400' })
})

test('no route accepts more than it declares, and few declare more than 64 kB', () => {
  const large = (routes as readonly Route[]).filter(
    (route) => bodyBytesMaxOf(route) > limits.signedInBodyBytesMax,
  )
  expect(large.map(({ path }) => path).sort()).toEqual(
    [
      '/api/v1/alarm/rules/csv',
      agentConfig.applyAgentConfig.path,
      agentConfig.checkAgentConfig.path,
      boards.createBoard.path,
      boards.updateBoard.path,
      boards.importBoard.path,
      boards.lookUpBoardTags.path,
      '/api/v1/data/tags/csv',
      '/api/v1/ingest',
      operator.importMachines.path,
      operator.importCards.path,
      brands.createUpload.path,
    ].sort(),
  )
  expect(large.filter(({ who }) => who === 'public')).toEqual([])
})

const names = (count: number) => Array.from({ length: count }, (_, place) => `n${place}`).join('&')

test.each([
  ['1,001 names', names(1_001), form],
  ['5,001 values of one name', 'a&'.repeat(5_000), form],
  ['5,001 times nothing', '&'.repeat(5_000), form],
  ['33 levels', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`, json],
])('a stranger’s body with %s is not taken apart', async (_, payload, type) => {
  expect(await send(accounts.login, payload, type)).toMatchObject({ status: 413, code: 'TOO_MANY_FIELDS' })
})

test.each([
  ['1,000 names', names(1_000), form],
  ['5,000 values of one name', 'a&'.repeat(4_999), form],
  ['20 levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, json],
])('a stranger’s body with %s is', async (_, payload, type) => {
  expect(await send(accounts.login, payload, type)).toMatchObject({ status: 400, code: '400' })
})

test('a JSON body has at most 20,000 values, for every sender', async () => {
  const values = (count: number) => `{"a":[${'1,'.repeat(count - 3)}1]}`
  expect(await send(machines.addMachine, values(20_001), json, person.token)).toMatchObject({
    status: 413,
    code: 'TOO_MANY_FIELDS',
  })
  expect(await send(machines.addMachine, values(20_000), json, person.token)).toMatchObject({
    status: 400,
    code: '400',
  })
})

test('a list in a form’s field counts in the same way as a list in a body', async () => {
  const list = encodeURIComponent(`[${'1,'.repeat(20_000)}1]`).replaceAll('%2C', ',')
  expect(await send(machines.listMachineStates, `machineIDs=${list}`, form, person.token)).toMatchObject({
    status: 400,
  })
})

test('a megabyte with 110,000 fields and no session is refused by its length', async () => {
  const fields = `{${Array.from({ length: 110_000 }, (_, place) => `"f${place}":1`).join()}}`
  expect(await send(accounts.login, fields)).toMatchObject({ status: 413, code: '413' })
  expect(await send(machines.addMachine, fields)).toMatchObject({ status: 401 })
})
