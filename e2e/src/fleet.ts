import { createHash } from 'node:crypto'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'

/** Every machine of a fleet signs in with this; the codes count up from `fleetCode(1)`. */
export const fleetSecret = 'fleet-of-a-test-on-loopback-only'

const firstCode = 7_000_000_000_000_000_000n

/** The code of the n-th machine of a fleet, from 1. */
export const fleetCode = (n: number): string => String(firstCode + BigInt(n))

/** The name of the n-th machine of a fleet. */
export const fleetName = (n: number): string => `Press ${String(n).padStart(5, '0')}`

/**
 * Puts `count` machines, the first of them the `from`-th of the fleet, with a key value, a past of 24 hours and some open alarms into a person's list, in a few
 * statements instead of thousands.
 */
export async function createFleet(db: Database, userId: number, count: number, from = 1): Promise<void> {
  const secretHash = createHash('sha256').update(fleetSecret).digest()
  await sql`
    insert into machines (code, type, model, name, secret_hash, owner_user_id, last_seen_at)
    select (${firstCode.toString()}::numeric + n)::text,
           (array['injection-press', 'cnc-lathe', 'pump-station', 'chiller'])[1 + n % 4],
           (array['HX-T10', 'AC7-215', 'AC5-060'])[1 + n % 3],
           'Press ' || lpad(n::text, 5, '0'), ${secretHash}, ${userId}, now() - n * interval '7 seconds'
    from generate_series(${from}::int, ${from + count - 1}::int) n`.execute(db)
  const mine = sql`select id, code::numeric - ${firstCode.toString()}::numeric as n, name
    from machines where owner_user_id = ${userId}`
  await sql`
    with mine as (${mine})
    insert into machine_list_entries (user_id, machine_id, name) select ${userId}, id, name from mine`.execute(
    db,
  )
  await sql`
    with mine as (${mine}),
    made as (
      insert into tags (machine_id, group_name, name, type, label, unit, scale, is_key)
      select id, '', 'temperature', 'float64', '{"cn": "模具温度", "en": "Mould temp."}', '°C', 1, true from mine
      returning id, machine_id
    )
    insert into tag_latest (tag_id, at, received_at, quality, num)
    select made.id, now(), now(), 0, 40 + mine.n % 60 from made join mine on mine.id = made.machine_id`.execute(
    db,
  )
  await sql`
    with mine as (${mine})
    insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, ended_at)
    select id, 'mqtt', '127.0.0.1', now() - interval '24 hours', now() - interval '3 hours',
           now() - interval '3 hours'
    from mine where n % 5 <> 0`.execute(db)
  await sql`
    with mine as (${mine})
    insert into alarms (machine_id, key, level, text, raised_at, received_at)
    select id, 'E2107', (array['critical', 'major', 'minor'])[1 + n::int % 3],
           '{"cn": "模具温度过高", "en": "Mould temperature too high"}', now(), now()
    from mine where n % 50 = 0`.execute(db)
}
