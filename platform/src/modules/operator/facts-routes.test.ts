import { operator } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, expect, test } from 'vitest'
import { collect, kind } from '../../../test-support/facts/open-facts.ts'
import { followerLagMsMax } from '../../kernel/facts/follower.ts'
import { collectFigures } from '../../kernel/figures.ts'
import { readOverview } from './overview.ts'

const refused = new Set<number>()
const { follower, handled } = collect('test.refusing', (machineId) => refused.has(machineId))

let boss: TestUser

const site = useSite({}, { followers: [follower] })
beforeAll(async () => {
  boss = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

/** Sets a fact of a machine aside, as its follower does after the last try. */
async function setAside(factId: number, machineId: number, name = follower.name): Promise<void> {
  const fact = { id: factId, kind, machineId, enterpriseId: 7, at: 1_700_000_000_000 }
  await site.db
    .insertInto('facts_set_aside')
    .values({ follower: name, fact_id: factId, fact: JSON.stringify(fact), error: 'at first', failures: 5 })
    .execute()
}

const auditOf = async (factId: number) => {
  const { list } = await site.as(boss).call(operator.listAudit, { search: 'fact.retry' })
  return list
    .filter(({ detail }) => detail.factId === factId)
    .map(({ result, target }) => `${target} ${result}`)
}

test('operators see each fact that was set aside, with its follower, subject, instant and error', async () => {
  await setAside(11, 3)
  const { list, total } = await site.as(boss).call(operator.listFactsSetAside, {})
  expect(total).toBe(1)
  expect(list).toEqual([
    {
      follower: follower.name,
      factId: 11,
      kind,
      machineId: 3,
      userId: null,
      eid: 7,
      at: 1_700_000_000_000,
      setAsideAt: expect.any(Number),
      tries: 5,
      error: 'at first',
    },
  ])
  await site.db.deleteFrom('facts_set_aside').execute()
})

test('a fact that was set aside is handled again on an operator’s request, and the audit log has the result', async () => {
  const named = { follower: follower.name, factId: 12 }
  await setAside(12, 4)
  refused.add(4)
  expect(await site.refusalOf(boss, operator.retryFactSetAside, named)).toBe('FACT_NOT_HANDLED')
  const { list } = await site.as(boss).call(operator.listFactsSetAside, {})
  expect(list).toMatchObject([{ factId: 12, error: 'refuses 4', tries: 6 }])
  refused.delete(4)
  await site.as(boss).call(operator.retryFactSetAside, named)
  expect(handled).toEqual([4])
  expect((await site.as(boss).call(operator.listFactsSetAside, {})).total).toBe(0)
  expect((await auditOf(12)).toSorted()).toEqual([`${follower.name} ok`, `${follower.name} refused`])
  expect(await site.refusalOf(boss, operator.retryFactSetAside, named)).toBe('404')
})

test('a fact of a follower that is gone stays aside, and asking for it is refused', async () => {
  await setAside(13, 5, 'test.gone')
  const gone = { follower: 'test.gone', factId: 13 }
  expect(await site.refusalOf(boss, operator.retryFactSetAside, gone)).toBe('404')
  expect((await site.as(boss).call(operator.listFactsSetAside, {})).total).toBe(1)
  expect(await auditOf(13)).toEqual([])
})

test('the overview calls facts slow when a follower is further behind than the limit', async () => {
  const partOf = async (factsLagMs: number) => {
    const figures = { ...collectFigures([]), factsLagMs }
    const { health } = await readOverview(site.db, figures, { now: Date.now(), startedAt: 0 })
    return health.find(({ part }) => part === 'facts')
  }
  expect(await partOf(followerLagMsMax)).toEqual({ part: 'facts', state: 'ok', value: 60 })
  expect(await partOf(followerLagMsMax + 1_000)).toEqual({ part: 'facts', state: 'slow', value: 61 })
})
