import { beforeAll, describe, expect, it } from 'vitest'
import { render } from '../../../test-support/render.tsx'
import { operatorText } from '../../shared/i18n/en/operator.ts'
import { getText } from '../../shared/i18n/language.ts'
import type { Enterprise, Person } from '../../shared/session/account-queries.ts'
import { router } from '../router.tsx'
import { findJumps, type Jump } from './jumps.ts'
import { listPages } from './page-jumps.ts'

const enterprise = { eid: 7, name: 'Foundry North', role: 'owner' } as unknown as Enterprise
const operator = { isOperator: true } as unknown as Person

/** Pages of one machine, of one code, and those that only lead elsewhere: no name leads to them. */
const ofOneThing = new Set([
  '/project/$id/{-$part}',
  '/visit/$machineId',
  '/visitReport',
  '/qr/$token',
  '/drivers',
  '/administrateCenter',
  '/visit/authorize',
  '/login',
  '/main',
  '/$',
  '/',
])

function listAll(): Jump[] {
  const where = { text: getText(), go: () => {}, enterprises: [enterprise], eid: undefined }
  return listPages({ ...where, person: operator, operatorText })
}

/** The address of the first page that is found. */
const findPage = (typed: string) => findJumps(typed, listAll())[0]?.key

beforeAll(() => render(null))

it('every page of the router is in the palette', () => {
  const listed = new Set(
    listAll().map(({ key }) => new URL(key, location.origin).pathname.replace(/\/$/, '')),
  )
  const missing = Object.keys(router.routesByPath).filter(
    (path) => !ofOneThing.has(path) && !listed.has(path.replace(/\/$/, '')),
  )
  expect(missing).toEqual([])
})

describe('a page is found by words that people use for it', () => {
  it.each([
    ['boards', '/dataCenter?eid=0'],
    ['dashboard', '/dataCenter?eid=0'],
    ['where', '/cloudmap'],
    ['定位', '/cloudmap'],
    ['floor plan', '/dataCenter/sites?eid=0'],
    ['厂区', '/dataCenter/sites?eid=0'],
    ['explorer', '/dataCenter/explorer?eid=0'],
    ['export', '/dataCenter/exports?eid=0'],
    ['retention', '/dataCenter/retention?eid=0'],
    ['reports', '/dataCenter/reports?eid=0'],
    ['quiet hours', '/alarmCenter/notifications?eid=0'],
    ['免打扰', '/alarmCenter/notifications?eid=0'],
    ['time zone', '/appearance'],
    ['时区', '/appearance'],
    ['two factor', '/security'],
    ['2fa', '/security'],
    ['两步验证', '/security'],
    ['sessions', '/safety'],
    ['安全中心', '/safety'],
    ['找回密码', '/security'],
    ['看板', '/dataCenter?eid=0'],
    ['保留', '/dataCenter/retention?eid=0'],
    ['invite', '/enterprise/?eid=7&tab=members'],
    ['delete account', '/userInfo'],
  ])('%s', (typed, page) => {
    expect(findPage(typed)).toBe(page)
  })
})
