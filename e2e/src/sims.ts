import { type SimState, type SimStopReason, simStatus } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'

/* SIM cards of made-up plans: their figures are written here, and no carrier is asked for them. */

const mb = 1_000_000
const dayMs = 86_400_000

interface Sim {
  readonly state: SimState
  readonly stopReason?: SimStopReason
  readonly usedMb: number | null
  readonly plan: 'small' | 'large' | 'open'
  /** From now; null: never. */
  readonly endsInDays: number | null
  readonly isForecast?: boolean
  /** The device reports another card. */
  readonly differs?: boolean
  readonly isFailing?: boolean
}

/** The first is that of the device whose details are drawn. */
const kinds: readonly Sim[] = [
  { state: 'working', usedMb: 842, plan: 'small', endsInDays: 26, isForecast: true },
  { state: 'suspended', stopReason: 'overQuota', usedMb: 1_003, plan: 'small', endsInDays: 121 },
  { state: 'working', usedMb: 4_120, plan: 'large', endsInDays: 300, differs: true },
  { state: 'expired', stopReason: 'planOver', usedMb: 0, plan: 'small', endsInDays: -4 },
  { state: 'working', usedMb: 18_400, plan: 'open', endsInDays: null, isFailing: true },
  { state: 'toActivate', usedMb: null, plan: 'small', endsInDays: 365 },
  { state: 'unknown', usedMb: 52, plan: 'small', endsInDays: 60 },
  { state: 'working', usedMb: 96, plan: 'small', endsInDays: 6 },
]

/** The account that the demo has. */
const account = 'simulator'
const plans = {
  small: { name: { cn: '设备 1 GB 月包', en: 'Device 1 GB' }, totalMb: 1_000, cycle: 'calendar' },
  large: { name: { cn: '网关 10 GB 月包', en: 'Gateway 10 GB' }, totalMb: 10_000, cycle: 'day27' },
  open: { name: { cn: '不限量', en: 'Unlimited' }, totalMb: null, cycle: 'calendar' },
} as const

const planOf = (kind: Sim, lang: 'cn' | 'en') => plans[kind.plan].name[lang]
const day = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Gives devices a card each, the first one that of the details; and registers two cards that are in no device. */
export async function createSims(
  db: Database,
  lang: 'cn' | 'en',
  machineIds: readonly number[],
): Promise<void> {
  const now = Date.now()
  for (const { name, totalMb, cycle } of Object.values(plans))
    await sql`insert into sim_plans (name, account, total_mb, cycle, created_at)
      values (${name[lang]}, ${account}, ${totalMb}, ${cycle}, now()) on conflict do nothing`.execute(db)
  // Those of the demo, whose carrier tells other figures each day.
  await sql`delete from sims where machine_id = any(${[...machineIds]}::bigint[])`.execute(db)
  const places = [...machineIds, null, null]
  for (const [place, machineId] of places.entries()) {
    const kind = kinds[machineId === null ? 5 : place % kinds.length] as Sim
    const number = String(place).padStart(3, '0')
    const iccid = `8986${lang === 'cn' ? '01' : '02'}${'0'.repeat(10)}${number}`
    const asOf = now - 8 * 3_600_000
    const endAt = kind.endsInDays === null ? null : new Date(now + kind.endsInDays * dayMs)
    const runsOut = kind.isForecast ? now + 4 * dayMs : undefined
    const { rows } = await sql<{ id: number }>`
      insert into sims (iccid, machine_id, plan_id, expire_at, created_at, state, word, stop_reason, msisdn, active_at,
        used_bytes, as_of, runs_out, runs_out_earliest, runs_out_latest, failed_at, due_at)
      select ${iccid}, ${machineId}, plan.id, ${endAt}, now(), ${simStatus(kind.state)},
        ${kind.state === 'unknown' ? 'HIBERNATED' : kind.state.toUpperCase()}, ${kind.stopReason ?? null},
        ${`86144000${lang === 'cn' ? '1' : '2'}${number}`}, now() - interval '200 days',
        ${kind.usedMb === null ? null : kind.usedMb * mb}, ${kind.usedMb === null ? null : new Date(asOf)},
        ${runsOut ? day(runsOut) : null}, ${runsOut ? day(runsOut - dayMs) : null},
        ${runsOut ? day(runsOut + 3 * dayMs) : null}, ${kind.isFailing ? new Date(asOf + 3_600_000) : null},
        now() + interval '1 year'
      from sim_plans plan where plan.name = ${planOf(kind, lang)} returning id`.execute(db)
    const [sim] = rows
    if (!sim) throw new Error(`no plan for ${iccid}`)
    const daily = Math.max(1, Math.round((kind.usedMb ?? 0) / 29))
    if (kind.usedMb !== null)
      await sql`insert into sim_days (sim_id, day, bytes)
        select ${sim.id}, current_date - n, (${daily}::float8 * (0.6 + ((n * 7) % 9) / 10.0) * ${mb})::bigint
        from generate_series(1, 130) n`.execute(db)
    if (kind.differs && machineId !== null)
      await sql`update machines set attributes = attributes || ${JSON.stringify({ iccid: `8986099900000000${number}` })}::jsonb
        where id = ${machineId}`.execute(db)
  }
}
