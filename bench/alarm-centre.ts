import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { createFleet } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile, showTimes } from './src/report.ts'

/* The alarm centre of a person with 5,000 machines and 1,000,000 alarms of half a year, over HTTP: the counts, a page of
   the list, pages with filters, and a page of the journal. Each is asked in turn. A tenth of the machines had another
   owner before; a hundredth of the alarms stands, two a machine, half is confirmed, and 200 machines are shelved. */

const isShort = process.argv.includes('--short')
const machinesMax = isShort ? 500 : 5_000
const alarmsMax = isShort ? 100_000 : 1_000_000
const days = 180
const warmUp = 5
const rounds = 60
const p95MsMax = 50

console.log(describeMachine())
const site = await startSite()
const db = await site.openDatabase()
try {
  const owner = await createUser(db)
  await createFleet(db, owner.userId, machinesMax)
  await sql`delete from alarms`.execute(db)
  const tables = ['alarms', 'alarm_events']
  // Otherwise a million rows are noted for lists one by one.
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await sql`
    update machines set owned_since = now() - interval '90 days'
    where id % 10 = 0 and owner_user_id = ${owner.userId}`.execute(db)
  // At one alarm a name and machine that stands, a name for each alarm that does.
  for (let from = 1; from <= alarmsMax; from += alarmsMax / 10) {
    await sql`
    insert into alarms (machine_id, key, level, text, raised_at, received_at, cleared_at, confirmed_at, confirmed_by)
    select machine.id, case when n % 100 = 0 then 'E' || n else 'E' || n % 40 end,
           (array['critical', 'major', 'minor', 'info'])[1 + n % 4],
           jsonb_build_object('en', 'Oil pressure low ' || n % 40, 'cn', '油压低 ' || n % 40), raised, raised,
           case when n % 100 = 0 then null else raised + interval '5 minutes' end,
           case when n % 2 = 0 then raised + interval '1 minute' end,
           case when n % 2 = 0 then ${owner.userId}::bigint end
    from generate_series(${from}::int, ${from - 1 + alarmsMax / 10}::int) n
    join (select id, row_number() over (order by id) as place from machines where owner_user_id = ${owner.userId}) machine
      on machine.place = 1 + (hashint4(n) & 2147483647) % ${machinesMax}::int,
    lateral (select now() - ${days} * interval '1 day' * n / ${alarmsMax}::int) t (raised)`.execute(db)
  }
  for (let part = 0; part < 10; part++) {
    await sql`
    insert into alarm_events (alarm_id, machine_id, kind, at, received_at, level, raisings, count)
    select id, machine_id, kind, at, received_at, level, raisings, 1 from (
      select id, machine_id, 'raised' as kind, raised_at as at, received_at, level, 1 as raisings from alarms where id % 10 = ${part}::int
      union all
      select id, machine_id, 'cleared', cleared_at, cleared_at, level, 0 from alarms where cleared_at is not null and id % 10 = ${part}::int
    ) event order by at`.execute(db)
  }
  await sql`
    insert into alarm_shelves (machine_id, kind, scope, until, reason, created_at)
    select id, 'shelved', 'machine', now() + interval '1 day', 'worn', now()
    from machines where owner_user_id = ${owner.userId} order by id limit 200`.execute(db)
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  await sql`vacuum (analyze) alarms, alarm_events, alarm_shelves, machines, machine_list_entries`.execute(db)

  const ask = async (path: string) => {
    const beganAt = performance.now()
    const response = await fetch(`${site.url}/api/v1/${path}`, { headers: { token: owner.token } })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return { hwdata: JSON.parse(text).hwdata, tookMs: performance.now() - beganAt }
  }
  const list = 'devices/alarmList/kanban?pageSize=20'
  /** A cursor in the middle of all alarms. */
  const middle = async () => {
    const { id } = await db
      .selectFrom('alarms')
      .select('id')
      .orderBy('raised_at', 'desc')
      .offset(alarmsMax / 4)
      .limit(1)
      .executeTakeFirstOrThrow()
    return `0.${id}`
  }
  const asked = {
    'the counts': 'devices/alarmCount/kanban',
    'a page of the list': list,
    'page 400 of the list': `${list}&page=400`,
    'a page of critical alarms that stand': `${list}&level=critical&state=active`,
    'a page of unconfirmed alarms': `${list}&state=unconfirmed`,
    'a page by level': `${list}&sort=level`,
    'a page by state': `${list}&sort=state`,
    'a page by device': `${list}&sort=machine`,
    'a page by time cleared': `${list}&sort=cleared&direction=desc`,
    'a page far behind, by `next`': `${list}&after=${await middle()}`,
    'a page of the journal': 'alarm/journal?pageSize=20',
  }
  const times = new Map<string, number[]>()
  for (let round = -warmUp; round < rounds; round++) {
    for (const [what, path] of Object.entries(asked)) {
      const { hwdata, tookMs } = await ask(path)
      if ('list' in hwdata && hwdata.list.length !== 20)
        throw new Error(`${what}: ${hwdata.list.length} rows`)
      if (round >= 0) times.set(what, [...(times.get(what) ?? []), tookMs])
    }
  }
  printRows(
    [...times].map(([what, ms]) => ({
      what,
      figure: `p95 ${quantile(ms, 0.95).toFixed(0)} ms; ${showTimes(ms)}`,
      target: `p95 below ${p95MsMax} ms`,
      met: quantile(ms, 0.95) < p95MsMax,
    })),
  )
} finally {
  await db.destroy()
  await site.stop()
}
