import { readFile } from 'node:fs/promises'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { createFleet } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* The cost of the list of a person with 5,000 machines: the whole answer of machine/select over HTTP, against
   the same rows put together and aggregated to JSON by the database alone. Both are asked in turn, so that
   other work on the machine slows both. Also the cost of the list when nothing changed. */

const machinesMax = 5_000
const warmUp = 3
const rounds = 15
const timesMax = 4
const unchangedBytesMax = 1_000
const unchangedAsks = 200
const unchangedCpuMsMax = 10
/** The unit in which Linux counts processor time. */
const tickMs = 10

console.log(describeMachine())
const site = await startSite()
const db = await site.openDatabase()
try {
  const owner = await createUser(db)
  await createFleet(db, owner.userId, machinesMax)
  await sql`analyze`.execute(db)
  const select = async (version?: string) => {
    const beganAt = performance.now()
    const response = await fetch(`${site.url}/api/machine/select`, {
      method: 'POST',
      headers: { token: owner.token, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify({ version }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return { text, tookMs: performance.now() - beganAt }
  }
  const aggregate = async () => {
    const beganAt = performance.now()
    const { rows } = await sql<{ text: string }>`
      select json_agg(json_build_object(
        'machine_id', machines.id, 'machine_name', entry.name, 'machine_code', machines.code,
        'machine_remark', entry.remark, 'machine_type', machines.type, 'model', machines.model,
        'check_type', machines.check_type, 'lastSeen', machines.last_seen_at, 'cloud_service', machines.cloud_service,
        'groups', coalesce((
          select json_agg(json_build_object('id', own.id, 'name', own.name) order by own.name)
          from machine_list_entry_groups held join machine_groups own on own.id = held.group_id
          where held.user_id = entry.user_id and held.machine_id = entry.machine_id), '[]'),
        'lat', place.lat, 'lng', place.lng, 'address', coalesce(place.as_typed, place.address_en),
        'location_type', place.type, 'location_way', place.way,
        'project_image', machines.project_image, 'unconfirmedAlarms', alarm.unconfirmed, 'openAlarms', alarm.open,
        'worstAlarm', alarm.worst, 'grant', granted.role, 'until', granted.until,
        'keyTag', json_build_object('tagId', tag.id, 'name', tag.label, 'unit', tag.unit, 'scale', tag.scale,
          'value', latest.num, 'quality', latest.quality, 'time', latest.at)
      ) order by entry.name, machines.id)::text as text
      from machine_list_entries entry
      join machines on machines.id = entry.machine_id
      left join machine_places place on place.machine_id = machines.id
      left join machine_grants granted on granted.machine_id = entry.machine_id and granted.user_id = entry.user_id
      left join (
        select machine_id, count(*) as open, count(*) filter (where confirmed_at is null) as unconfirmed,
               (array_agg(level order by array_position(array['critical','major','minor','info'], level)))[1] as worst
        from alarms where cleared_at is null group by machine_id) alarm on alarm.machine_id = machines.id
      left join lateral (
        select id, label, unit, scale from tags
        where tags.machine_id = entry.machine_id and retired_at is null
        order by is_key desc, (type in ('float64', 'int64')) desc, id
        limit 1) tag on true
      left join tag_latest latest on latest.tag_id = tag.id
      where entry.user_id = ${owner.userId}`.execute(db)
    const count = JSON.parse(rows[0]?.text ?? '[]').length
    if (count !== machinesMax) throw new Error(`${count} rows`)
    return performance.now() - beganAt
  }

  /** Processor time so far of the platform and of what serves its connections to the database. */
  const readCpuMs = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(db)
    const ticks = await Promise.all(
      [site.pid, ...rows.map(({ pid }) => pid)].map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
        // After the name, which may hold spaces: the 12th and 13th are user and system time.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
      }),
    )
    return ticks.reduce((sum, count) => sum + count, 0) * tickMs
  }

  const whole: number[] = []
  const alone: number[] = []
  const unchanged: number[] = []
  let bytes = 0
  let unchangedBytes = 0
  for (let round = -warmUp; round < rounds; round++) {
    const first = await select()
    const { version, list } = JSON.parse(first.text).hwdata
    if (list.length !== machinesMax) throw new Error(`${list.length} machines`)
    const again = await select(version)
    const aggregatedMs = await aggregate()
    if (round < 0) continue
    whole.push(first.tookMs)
    unchanged.push(again.tookMs)
    alone.push(aggregatedMs)
    bytes = first.text.length
    unchangedBytes = again.text.length
  }
  const { version } = JSON.parse((await select()).text).hwdata
  const cpuBefore = await readCpuMs()
  for (let ask = 0; ask < unchangedAsks; ask++) {
    const { text } = await select(version)
    if (!text.includes('notModified')) throw new Error('the list has changed')
  }
  const cpuMs = ((await readCpuMs()) - cpuBefore) / unchangedAsks
  const times = quantile(whole, 0.5) / quantile(alone, 0.5)
  const format = (values: readonly number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(0)} ms, p90 ${quantile(values, 0.9).toFixed(0)} ms`
  printRows([
    {
      what: `the list of ${machinesMax} machines, ${(bytes / 1e6).toFixed(1)} MB`,
      figure: `${format(whole)}: ${times.toFixed(1)} times the database alone`,
      target: `≤ ${timesMax} times`,
      met: times <= timesMax,
    },
    { what: 'the same rows as `json_agg`, read and parsed', figure: format(alone), target: '' },
    {
      what: 'the list, unchanged',
      figure: `${unchangedBytes} B, ${format(unchanged)}`,
      target: '< 1 kB',
      met: unchangedBytes < unchangedBytesMax,
    },
    {
      what: `the same, processor time of platform and database, ${unchangedAsks} in turn`,
      figure: `${cpuMs.toFixed(1)} ms each`,
      target: `≤ ${unchangedCpuMsMax} ms`,
      met: cpuMs <= unchangedCpuMsMax,
    },
  ])
} finally {
  await db.destroy()
  await site.stop()
}
