import { type ApiError, access, telemetry } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Inside } from '../../test-support/visit-host/inside.ts'
import { maintenanceRevocations } from '../../test-support/visit-host/maintenance-revocations.ts'
import {
  deadline,
  type OpenThings,
  openThings,
  visitNames,
} from '../../test-support/visit-host/open-things.ts'
import { RequestRace } from '../../test-support/visit-host/request-race.ts'
import { type Revocation, revocations, type Told } from '../../test-support/visit-host/revocations.ts'
import { endTexts, refusalTexts } from './page-texts.ts'

const racesCount = 60

const site = useSite()

/** The states of the open things once a right was lost by this revocation. */
function expectedStates(things: OpenThings, { cuts, closes = {} }: Pick<Revocation, 'cuts' | 'closes'>) {
  const isCut = (what: string) => cuts.some((name) => what.startsWith(`${name} `))
  return Object.fromEntries(
    Object.keys(things.states()).map((what) => [what, closes[what] ?? (isCut(what) ? 'cut' : 'open')]),
  )
}

/** A cookie that was valid before opens no more than it may, and gives the reason. */
async function checkTold({ visitId, client, station }: Inside, told: Told): Promise<void> {
  const socketError = new Promise<string>((resolve) => {
    client.openWebSocket(`/late?${visitId}`).once('error', ({ message }) => resolve(message))
  })
  const headers = { 'accept-language': 'en' }
  const changed = await client.request(`/late?${visitId}`, { method: 'POST', body: 'x', headers })
  expect(changed.status).toBeOneOf([403, 503])
  expect(await socketError).toMatch(/ (403|503)$/)
  expect(station.asked).not.toContain(`/late?${visitId}`)
  const watched = await client.request(`/late?${visitId}`, { headers })
  if (told === 'watchOnly') {
    expect(changed.text).toContain(refusalTexts.readOnly.en.text)
    expect([watched.status, watched.text]).toEqual([200, 'page'])
    return
  }
  const why = 'ended' in told ? endTexts[told.ended] : refusalTexts[told.refused]
  expect([watched.status, watched.text]).toEqual([
    'ended' in told ? 403 : 503,
    expect.stringContaining(why.en.text),
  ])
}

/** The code and the word that a program gets for its stream to a port. */
function portEndOf(told: Told): string | undefined {
  if (told === 'watchOnly') return undefined
  if ('ended' in told) return `4403 ${told.ended}`
  return told.refused === 'offline' ? '4503 machine' : '4503 platform'
}

/** The answer to the visitor's next call about the machine. */
async function askNext({ site: { as }, visitor, station: { machine } }: OpenThings): Promise<string> {
  const { machineId } = machine
  return as(visitor)
    .call(telemetry.listLatest, { machineId })
    .then(
      () => 'let in',
      (error: ApiError) => error.code,
    )
}

function expectedAnswer({ told, silences = [] }: Revocation): string {
  if (typeof told === 'object' && 'ended' in told && told.ended === 'signedOut') return '113'
  return silences.includes('visitor') ? '403' : 'let in'
}

const named = [...revocations, ...maintenanceRevocations].map((one) => [one.name, one] as const)

test.each(named)('no bytes pass any more for %s', async (_, revocation) => {
  const things = await openThings(site, revocation)
  onTestFinished(() => things.close())
  const { inside, station, otherStation, push } = things
  const method = revocation.told === 'watchOnly' ? 'POST' : 'GET'
  const race = new RequestRace(inside.page.client, { method, asked: station.asked })
  onTestFinished(() => race.stop())
  await race.served()

  const changed = await revocation.change(things)
  race.mark()
  expect(await askNext(things)).toBe(expectedAnswer(revocation))
  expect(await race.finish(racesCount)).toEqual([])
  const expected = expectedStates(things, revocation)
  await expect.poll(() => things.states(), deadline).toEqual(expected)
  for (const name of revocation.cuts) await checkTold(inside[name], revocation.told)
  if (revocation.cuts.includes('hmi')) expect(await things.port.askWhy()).toBe(portEndOf(revocation.told))

  await revocation.after?.(things, changed)
  const silent = revocation.silences ?? []
  const hearing = (['visitor', 'bystander'] as const).filter(
    (name) => push[name].state === 'open' && !silent.includes(name),
  )
  await Promise.all([
    things.goOn(visitNames.filter((name) => !revocation.cuts.includes(name))),
    ...hearing.map((name) => things.watchOn(push[name], station)),
    push.visitor.state === 'open' && things.watchOn(push.visitor, otherStation),
  ])
  for (const name of silent) expect(push[name].newestOf(station)).toBeLessThanOrEqual(inside.page.toldAtEnd)
  expect(things.states()).toEqual(expected)
})

test('no bytes pass while the platform cannot read rights for 5 s, and all go on when it can', async () => {
  const things = await openThings(site)
  onTestFinished(() => things.close())
  const { inside, station } = things
  const race = new RequestRace(inside.page.client, { method: 'GET', asked: station.asked })
  onTestFinished(() => race.stop())
  await race.served()

  const { promise: seeing, resolve: see } = Promise.withResolvers<void>()
  onTestFinished(() => see())
  const blinding = site.db.transaction().execute(async (trx) => {
    await sql`lock table right_changes in access exclusive mode`.execute(trx)
    await seeing
  })
  await race.refused()
  race.mark()
  expect(await race.finish(racesCount)).toEqual([])
  const closed = 'closed with 1001'
  const closes = { 'push to visitor': closed, 'push to bystander': closed }
  const expected = expectedStates(things, { cuts: visitNames, closes })
  await expect.poll(() => things.states(), deadline).toEqual(expected)
  for (const name of visitNames) await checkTold(inside[name], { refused: 'blind' })
  expect(things.port.program.end).toBe(portEndOf({ refused: 'blind' }))

  see()
  await blinding
  for (const name of visitNames)
    await expect.poll(async () => (await inside[name].client.request('/')).text, deadline).toBe('page')
  expect(things.states()).toEqual(expected)
})

test('a request that begins after a change was answered waits for it, however slowly rights are read', async () => {
  const things = await openThings(site)
  onTestFinished(() => things.close())
  const { inside, station, owner, grantId } = things
  const race = new RequestRace(inside.page.client, { method: 'POST', asked: station.asked })
  onTestFinished(() => race.stop())
  await race.served()
  await sql`alter table right_changes rename to kept_right_changes`.execute(site.db)
  await sql`
    create view right_changes as
    select * from kept_right_changes where (select pg_sleep(0.2)) is not null`.execute(site.db)
  onTestFinished(async () => {
    await sql`drop view right_changes`.execute(site.db)
    await sql`alter table kept_right_changes rename to right_changes`.execute(site.db)
  })
  await site.as(owner).call(access.removeVisitor, { visitTimeId: grantId })
  race.mark()
  expect(await race.finish(racesCount)).toEqual([])
})
