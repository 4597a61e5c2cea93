import { randomUUID } from 'node:crypto'
import {
  access,
  accounts,
  enterprises,
  errors,
  hasControls,
  hasMarkup,
  type Lang,
  limits,
  machines,
  operator,
  type Route,
  scada,
  signsOutAt404,
  textWidth,
} from '@busbar/contract'

import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Ask, createAsk } from '../../../test-support/http/ask.ts'
import { type Hostile, hostileTexts, listHostile } from '../../../test-support/http/hostile-values.ts'
import { uncounted } from '../../../test-support/http/uncounted.ts'
import {
  callerOf,
  createRightsFixture,
  missingOf,
  type RightsFixture,
  requestOf,
} from '../../../test-support/rights/rights-fixture.ts'
import { routeCases } from '../../../test-support/rights/route-cases.ts'

/*
 * Every field of every route with invalid values, made from the schemas: values that they refuse are refused in the
 * caller's language under the field's name and change nothing; values that they accept are handled by the platform.
 */

let fixture: RightsFixture
let ask: Ask
let clock = Date.now()
const site = useSite({}, { now: () => clock, rateCounters: uncounted })
beforeAll(async () => {
  // Calls are minutes apart, because limits by the minute are tested elsewhere.
  fixture = await createRightsFixture(site.db)
  ask = createAsk(site)
})

const asked = routeCases.filter(({ needs }) => needs !== 'machine')
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const named = asked.map((routeCase) => [nameOf(routeCase.route), routeCase] as const)

/** The fault of a field's refusal; undefined for a correct one. */
function faultOf(route: Route, { field }: Hostile, { status, body }: Answer, lang: Lang): string | undefined {
  if (route.failsAs === 'zero') return status === 200 && body === '0' ? undefined : 'is not the bare 0'
  if (signsOutAt404(route.path) && route.path.includes(`:${field}`))
    return status === 200 && body.includes('"code":"404"')
      ? undefined
      : 'is not the refusal of a missing thing'
  const { http } = errors['400']
  if (status !== (route.failsAs ? 200 : http)) return 'is no 400'
  const { error } = JSON.parse(body) as { error?: { field?: string; message?: string } }
  if (error?.field !== field) return `names ${error?.field}`
  const said = lang === 'cn' ? `参数 ${field} 无效` : `The field ${field} is not valid`
  return error.message === said ? undefined : `says ${error.message}`
}

describe('invalid values of a field', () => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await fingerprint()
  })

  test.each(named)('is refused under its name, in both languages: %s', async (_, routeCase) => {
    const { route } = routeCase
    // An operator's route reads the bodies of operators only.
    const caller = route.who === 'operator' ? fixture.operator : fixture.stranger
    const ids = Object.entries(routeCase.ids).map(([name, kind]) => [name, missingOf(kind)])
    const good = { ...routeCase.rest, ...Object.fromEntries(ids) }
    const faults: string[] = []
    for (const [place, hostile] of listHostile(route, good).entries()) {
      if (hostile.fits) continue
      const lang = place % 2 ? 'cn' : 'en'
      const answer = await ask(route, hostile.request, {
        token: caller.token,
        'accept-language': lang === 'cn' ? 'zh-CN' : 'en',
      })
      const fault = faultOf(route, hostile, answer, lang)
      if (fault)
        faults.push(
          `${hostile.field}, ${hostile.what}: ${fault}: ${answer.status} ${answer.body.slice(0, 120)}`,
        )
    }
    expect(faults, faults.join('\n')).toEqual([])
  })

  test('changes nothing', async () => {
    expect(await fingerprint()).toEqual(before)
  })
})

test.each(named)('valid values of a field do not break anything: %s', async (_, routeCase) => {
  const { route } = routeCase
  const faults: string[] = []
  const { setup, caller } = callerOf(fixture, routeCase, await site.createUser())
  const good = await requestOf(fixture, routeCase, setup, caller)
  for (const { fits, field, what, request } of listHostile(route, good)) {
    if (!fits || !isTelling(what)) continue
    clock += 61_000
    // Renews ids that the call before used up.
    const ids = routeCase.ids[field] === undefined ? await requestOf(fixture, routeCase, setup, caller) : {}
    const changed = { ...request, ...ids, [field]: request[field] }
    const { status, body } = await ask(route, changed, { token: caller.token })
    if (status >= 500) faults.push(`${field}, ${what}: ${status} ${body}`)
  }
  expect(faults, faults.join('\n')).toEqual([])
})

describe('a text that is taken comes back as it was sent', () => {
  const family = '👨‍👩‍👧‍👦'
  /** Stores a text and answers the stored form. */
  type Keep = (text: string) => Promise<unknown>
  const places: [string, number, Keep, rule?: 'withoutMarkup'][] = [
    [
      'the name of a machine in one’s list',
      limits.machineNameAddMax,
      async (text) => {
        const user = await site.createUser()
        const { code } = await site.createMachine({ owner: fixture.stranger.userId })
        await site.as(user).call(machines.addMachine, { machineName: text, machineCode: code })
        const answer = await site.as(user).call(machines.listMachines, {})
        return 'list' in answer && answer.list[0]?.machine_name
      },
      'withoutMarkup',
    ],
    [
      'the shared name of a machine',
      limits.machineNameMax,
      async (text) => {
        const { master, machine } = fixture.personal
        await site.as(master).call(access.updateMachineInfo, { machineCode: machine.code, machineName: text })
        const detail = await site.as(master).call(machines.getMachineDetail, { machineID: machine.machineId })
        return 'machine_shared_name' in detail && detail.machine_shared_name
      },
      'withoutMarkup',
    ],
    [
      'what one calls a friend',
      limits.remarkMax,
      async (text) => {
        const [user, friend] = [await site.createUser(), await site.createUser()]
        await site.as(user).call(accounts.addFriend, { account: friend.email, remark: text })
        return (await site.as(user).call(accounts.listFriends, {}))[0]?.remark
      },
      'withoutMarkup',
    ],
    [
      'the name of an enterprise',
      limits.enterpriseNameMax,
      async (text) => {
        const user = await site.createUser()
        const { eid } = await site.as(user).call(enterprises.createEnterprise, { name: text })
        return (await site.as(user).call(enterprises.getEnterprise, { eid })).name
      },
    ],
    [
      'the name and remark of a device',
      limits.remarkMax,
      async (text) => {
        const { eid, enterprise } = fixture
        const id = enterprise.machine.machineId
        const own = site.as(enterprise.master)
        await own.call(enterprises.updateEnterpriseMachine, { eid, id, name: text, remark: text })
        const { machineName, remark } = await own.call(enterprises.getEnterpriseMachine, {
          eid,
          deviceId: id,
        })
        expect(machineName).toBe(remark)
        return remark
      },
      'withoutMarkup',
    ],
    [
      'the name of a team',
      limits.teamNameMax,
      async (text) => {
        const { eid, owner } = await site.createEnterprise()
        const own = site.as(owner)
        const { id } = await own.call(enterprises.createTeam, { eid, kind: 'maintain', name: text })
        return (await own.call(enterprises.listTeams, { eid })).find((team) => team.id === id)?.name
      },
    ],
    [
      'a SCADA request',
      scada.scadaLimits.company,
      async (text) => {
        clock += 3_600_000
        const email = `scada-${randomUUID()}@example.test`
        const form = { company: text, area: text, project: text, phone: '13812340000', email }
        await site.as(undefined).call(scada.registerScada, { ...form, purpose: 'run' })
        const { list } = await site.as(fixture.operator).call(operator.listScadaRequests, { search: email })
        expect([list[0]?.area, list[0]?.project]).toEqual([text, text])
        return list[0]?.company
      },
    ],
  ]

  test.each(places)('%s', async (_, most, keep, rule) => {
    // Characters that turn the direction of text are refused in a name that others read.
    const texts = Object.values(hostileTexts).filter(
      (text) => !hasControls(text) && textWidth(text) <= most && (rule === undefined || !hasMarkup(text)),
    )
    for (const text of [...texts, family.repeat(most)]) expect(await keep(text)).toBe(text)
  })
})

/** Of the valid values, those that could break later code: the others are as good as the usual request's. */
const isTelling = (what: string): boolean => /^(?:mixed|most of [^a]|smallest|largest)/.test(what)

/** The contents of every table, except those that sessions, followers of facts and the platform's own clocks write. */
async function fingerprint(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('sessions', 'telemetry_state', 'audit_seals', 'nodes', 'fact_followers')`.execute(
    site.db,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ hash: string }>`
      select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${sql.table(name)} t`.execute(
      site.db,
    )
    found[name] = rows[0]?.hash ?? ''
  }
  return found
}
