import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { recordRightChange } from '../rights/right-changes.ts'
import { afterCommit, surround } from './after-commit.ts'
import { type Database, withTransaction } from './database.ts'

const site = useDatabase()

/** Collects the calls that the surrounding process gets. */
function watch() {
  const woken: string[] = []
  const failures: unknown[] = []
  const part = surround([site.db], {
    wake: (topic) => woken.push(topic),
    failed: (error) => failures.push(error),
  })
  onTestFinished(part)
  return { woken, failures }
}

const countEnterprises = async (db: Database, name: string) => {
  const rows = await db.selectFrom('enterprises').select('id').where('name', '=', name).execute()
  return rows.length
}

test('acts run in order after the commit, and see it', async () => {
  const order: string[] = []
  const seen = Promise.withResolvers<number>()
  await withTransaction(site.db, async (trx) => {
    await trx.insertInto('enterprises').values({ name: 'committed' }).execute()
    afterCommit(trx, () => void order.push('first'))
    afterCommit(trx, async () => seen.resolve(await countEnterprises(site.db, 'committed')))
    afterCommit(trx, () => void order.push('last'))
    order.push('work')
  })
  expect(order).toEqual(['work', 'first', 'last'])
  expect(await seen.promise).toBe(1)
})

test('a rollback runs no act', async () => {
  const { woken } = watch()
  const acts: string[] = []
  const failing = withTransaction(site.db, async (trx) => {
    afterCommit(trx, () => void acts.push('act'))
    await recordRightChange(trx, { reason: 'undone' })
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(acts).toEqual([])
  expect(woken).toEqual([])
})

test('after repeated tries of a transaction only the acts of the committed one run', async () => {
  const acts: number[] = []
  let tries = 0
  await withTransaction(site.db, async (trx) => {
    const number = ++tries
    afterCommit(trx, () => void acts.push(number))
    if (number < 3)
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx)
  })
  expect(acts).toEqual([3])
})

test('a transaction within another runs its acts after the commit of the outer one', async () => {
  const order: string[] = []
  await withTransaction(site.db, async (outer) => {
    await withTransaction(outer, async (inner) => afterCommit(inner, () => void order.push('act')))
    order.push('inner ended')
  })
  expect(order).toEqual(['inner ended', 'act'])
})

test('an act that throws is reported and stops no other, and not the answer', async () => {
  const { failures } = watch()
  const acts: string[] = []
  const answer = await withTransaction(site.db, async (trx) => {
    afterCommit(trx, () => {
      throw new Error('thrown')
    })
    afterCommit(trx, () => Promise.reject(new Error('rejected')))
    afterCommit(trx, () => void acts.push('after both'))
    return 'answer'
  })
  expect(answer).toBe('answer')
  expect(acts).toEqual(['after both'])
  await expect.poll(() => failures.map(String)).toEqual(['Error: thrown', 'Error: rejected'])
})

test('changes of rights wake once for a transaction, and at once outside of one', async () => {
  const { woken } = watch()
  await withTransaction(site.db, async (trx) => {
    await recordRightChange(trx, { reason: 'one' })
    await recordRightChange(trx, { reason: 'two' })
    expect(woken).toEqual([])
  })
  expect(woken).toEqual(['rights'])
  await recordRightChange(site.db, { reason: 'three' })
  expect(woken).toEqual(['rights', 'rights'])
})

test('a transaction begun without withTransaction runs its acts too', async () => {
  const acts: string[] = []
  await site.db.transaction().execute(async (trx) => afterCommit(trx, () => void acts.push('act')))
  expect(acts).toEqual(['act'])
})
