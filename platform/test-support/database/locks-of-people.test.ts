import { boards, smsStock } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AlarmRecord } from '../../src/modules/telemetry/index.ts'

const deadline = { timeout: 20_000, interval: 20 }

/**
 * Rows of a person that what their machines do may lock, with the reason. Everything else must stay free
 * (rules/operations.md: locks of people).
 */
const lockedByMachines: Readonly<Record<string, string>> = {
  user_event_counts: 'the number of the next event, locked last',
  sms_stocks: 'the balance that pays for the message',
  notification_windows: 'the flood of one machine, which only the notifications read',
}

const site = useSite({ SMS_SIGNATURE: '母线' })

/** Stops each transaction that inserts into a table when it commits, with all its locks; answers the function that lets them go. */
async function stopCommits(table: string): Promise<() => Promise<void>> {
  await sql
    .raw(`
    create table gate_of_${table} as select true as is_shut;
    create function wait_for_${table}() returns trigger language plpgsql as $$
    begin
      while exists (select from gate_of_${table}) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$;
    create constraint trigger gate after insert on ${table} deferrable initially deferred
      for each row execute function wait_for_${table}();`)
    .execute(site.db)
  return async () => void (await sql.raw(`delete from gate_of_${table}`).execute(site.db))
}

const countStopped = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and query ~* '^commit'`.execute(site.db)
  return rows.length
}

/** The tables with rows of this person that a transaction has locked. */
async function listLocked(userId: number): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string; col: string }>`
    select conrelid::regclass::text as name, attname as col
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'users'::regclass and conparentid = 0
    union all select 'users', 'id' order by 1, 2`.execute(site.db)
  const locked: string[] = []
  for (const { name, col } of columns) {
    const { rows } = await sql<{ there: number; free: number }>`
      with free as (select from ${sql.raw(name)} where ${sql.ref(col)} = ${userId} for no key update skip locked)
      select (select count(*) from ${sql.raw(name)} where ${sql.ref(col)} = ${userId}) as there,
             (select count(*) from free) as free`.execute(site.db)
    if (rows[0] && rows[0].free < rows[0].there) locked.push(name)
  }
  return [...new Set(locked)]
}

/** A person who works with what the product has, and is told of alarms in every way. */
async function createBusyPerson() {
  const person = await site.createUser({ phone: `138${String(Date.now()).slice(-8)}` })
  const machine = await site.createMachine({ owner: person.userId })
  const own = site.as(person)
  await own.call(boards.createBoard, {
    name: 'Hall',
    layout: { variable: null, range: { lastMs: 3_600_000 }, tiles: [] },
  })
  const operator = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  await site.as(operator).call(smsStock.changeStock, { userId: person.userId, type: 'recharge', count: 100 })
  return { person, machine }
}

const alarm = (key: string): AlarmRecord => ({
  ...{ kind: 'alarm', key, level: 'critical', text: { en: 'Mains voltage lost' }, state: 'raised' },
  ...{ isRepeat: false, time: Date.now(), late: false },
})

describe('while a transaction of a machine’s alarm stands still', () => {
  test.each([
    ['notifications', 'that notifies of it'],
    ['user_events', 'that shows it to pages'],
  ])('at its commit of %s, %s, its owner signs in, and their rows are free', async (table) => {
    const { person, machine } = await createBusyPerson()
    const letGo = await stopCommits(table)
    onTestFinished(letGo)
    await site.platform.telemetry.append(machine.machineId, [alarm('E1')])
    await expect.poll(countStopped, deadline).toBeGreaterThan(0)
    expect((await listLocked(person.userId)).filter((name) => !(name in lockedByMachines))).toEqual([])
    await site.signIn(person.userId)
  })
})
