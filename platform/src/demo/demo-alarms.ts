import { type Lang, type machines, metresBetween, platformAlarms } from '@busbar/contract'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import type { StoredCondition } from '../modules/alarm-rules/index.ts'
import { movedAfterMs } from '../modules/places/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'
import { createDemoNotifications, type ToldPast } from './demo-told.ts'

/*
 * The first alarms of the demo, on the booster station: rules that fit its values, a week of alarms with people's
 * notes, a dip of the mains that raised a dozen alarms within minutes, and a shelved alarm.
 */

const trade = 'booster-pumps'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Both = Readonly<Record<Lang, string>>

interface DemoRule {
  readonly condition: StoredCondition
  readonly level: machines.AlarmLevel
  readonly onDelay: number
  readonly text: Both
  readonly instruction: Both | null
}

const tagOf = (name: string) => ({ group: '', name })

const rules = {
  pressure: {
    condition: { kind: 'threshold', tag: tagOf('outlet_pressure'), op: '<', limit: 0.36, deadband: 0.01 },
    level: 'major',
    onDelay: 20,
    text: {
      cn: '出口压力 {value} {unit}，低于 {limit}',
      en: 'Outlet pressure {value} {unit}, below {limit}',
    },
    instruction: {
      cn: '检查进水阀和水泵；必要时手动启动备用泵。',
      en: 'Check the inlet valve and the pumps; start the standby pump by hand if needed.',
    },
  },
  silence: {
    condition: { kind: 'noData', tag: tagOf('flow'), seconds: 900 },
    level: 'minor',
    onDelay: 0,
    text: { cn: '流量 15 分钟没有数据', en: 'No flow data for 15 minutes' },
    instruction: null,
  },
  // Holds from the first value on: the station has pumped more than that.
  calibration: {
    condition: { kind: 'threshold', tag: tagOf('total_volume'), op: '>', limit: 1_000, deadband: 0 },
    level: 'info',
    onDelay: 0,
    text: {
      cn: '流量计到期检定，累计水量 {value} {unit}',
      en: 'Flow meter due for calibration at {value} {unit}',
    },
    instruction: null,
  },
} satisfies Record<string, DemoRule>

/** Alarms of the rule for the pressure: hours ago, duration, value, and the note of the confirmation. */
const pressureDrops: readonly {
  readonly hoursAgo: number
  readonly minutes: number
  readonly value: number
  readonly note?: Both
}[] = [
  {
    hoursAgo: 162,
    minutes: 9,
    value: 0.341,
    note: { cn: '用水高峰，已恢复', en: 'Morning peak, back to normal' },
  },
  { hoursAgo: 139, minutes: 14, value: 0.352, note: { cn: '', en: '' } },
  {
    hoursAgo: 115,
    minutes: 26,
    value: 0.318,
    note: { cn: '2 号泵变频器跳闸，已复位', en: 'Drive of pump 2 had tripped, reset' },
  },
  { hoursAgo: 66, minutes: 7, value: 0.355, note: { cn: '', en: '' } },
  { hoursAgo: 42, minutes: 12, value: 0.347, note: { cn: '已通知调度', en: 'Control room informed' } },
  { hoursAgo: 19, minutes: 11, value: 0.35 },
  { hoursAgo: 5, minutes: 8, value: 0.353 },
]

/** Alarms of the machine within six minutes, when the mains dipped. */
const dip: readonly (readonly [key: string, level: machines.AlarmLevel, text: Both])[] = [
  ['MAINS', 'critical', { cn: '进线电压跌落', en: 'Mains voltage dip' }],
  ['VFD1-UV', 'major', { cn: '1 号变频器欠压', en: 'Drive 1 undervoltage' }],
  ['VFD2-UV', 'major', { cn: '2 号变频器欠压', en: 'Drive 2 undervoltage' }],
  ['VFD3-UV', 'major', { cn: '3 号变频器欠压', en: 'Drive 3 undervoltage' }],
  ['P1-STOP', 'major', { cn: '1 号泵停机', en: 'Pump 1 stopped' }],
  ['P2-STOP', 'major', { cn: '2 号泵停机', en: 'Pump 2 stopped' }],
  ['P3-STOP', 'minor', { cn: '3 号泵不可用', en: 'Pump 3 not available' }],
  ['CHECK-V', 'minor', { cn: '止回阀动作', en: 'Check valve closed' }],
  ['UPS', 'minor', { cn: 'UPS 电池供电', en: 'UPS on battery' }],
  ['COMM-VFD', 'minor', { cn: '变频器通讯中断', en: 'Drives not responding' }],
  ['LIGHT', 'info', { cn: '照明切换到应急', en: 'Emergency lighting on' }],
  ['SUMP', 'info', { cn: '排水泵失电', en: 'Sump pump without power' }],
]
const dipHoursAgo = 90
const dipNote: Both = {
  cn: '供电局确认为电网波动，设备已全部恢复',
  en: 'The utility confirmed a dip; everything has recovered',
}

const shelveReason: Both = { cn: '检定已预约，等待计量院', en: 'Calibration is booked with the institute' }
const shelveDays = 5

/** Writes the demo's alarms and rules; skipped if its machine is missing or has rules. */
export async function createDemoAlarms(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, ownerId, madeAt } = plant
  const machineId = plant.machineIds.get(trade)
  if (machineId === undefined) return
  const known = trx.selectFrom('alarm_rules').select('id').where('machine_id', '=', machineId)
  if (await known.executeTakeFirst()) return
  const pressureRule = await createRule(trx, { machineId, lang, madeAt }, rules.pressure)
  await createRule(trx, { machineId, lang, madeAt }, rules.silence)
  const calibrationRule = await createRule(trx, { machineId, lang, madeAt }, rules.calibration)

  const by = { machineId, lang, ownerId }
  const past: ToldPast[] = []
  const { limit } = rules.pressure.condition
  for (const { hoursAgo, minutes, value, note } of pressureDrops) {
    const fill = (text: string) =>
      text.replace('{value}', String(value)).replace('{limit}', String(limit)).replace('{unit}', 'MPa')
    const { level } = rules.pressure
    const raisedAt = madeAt - hoursAgo * hourMs
    const alarmId = await createAlarm(trx, by, {
      key: `rule.${pressureRule}`,
      ruleId: pressureRule,
      level,
      text: { cn: fill(rules.pressure.text.cn), en: fill(rules.pressure.text.en) },
      value,
      limit,
      raisedAt,
      clearedAt: raisedAt + minutes * minuteMs,
      note: note?.[lang],
    })
    past.push({ alarmId, level, raisedAt })
  }
  for (const [place, [key, level, text]] of dip.entries()) {
    const raisedAt = madeAt - dipHoursAgo * hourMs + (place * minuteMs) / 2
    const clearedAt = madeAt - dipHoursAgo * hourMs + (12 + place) * minuteMs
    const alarmId = await createAlarm(trx, by, {
      ...{ key, level, text, raisedAt, clearedAt },
      note: dipNote[lang],
    })
    past.push({ alarmId, level, raisedAt })
  }
  const moved = await findMoved(trx, machineId)
  if (moved) {
    const { key, text } = platformAlarms.moved
    const fill = (words: string) => words.replace('{metres}', String(moved.metres))
    const [level, raisedAt] = ['major', moved.at] as const
    const alarmId = await createAlarm(trx, by, {
      ...{ key, level, text: { cn: fill(text.cn), en: fill(text.en) }, raisedAt },
      ...{ clearedAt: undefined, note: undefined },
    })
    past.push({ alarmId, level, raisedAt })
  }
  await createDemoNotifications(
    trx,
    { machineId, ownerId, lang, madeAt },
    past.toSorted((a, b) => a.raisedAt - b.raisedAt),
  )
  const shelved = { until: new Date(madeAt + shelveDays * dayMs), at: new Date(madeAt - hourMs), ownerId }
  await sql`
    with made as (
      insert into alarm_shelves (machine_id, kind, scope, rule_id, until, reason, by_user_id, created_at)
      values (${machineId}, 'shelved', 'rule', ${calibrationRule}, ${shelved.until}, ${shelveReason[lang]}, ${ownerId}, ${shelved.at})
      returning *
    )
    insert into alarm_events (shelve_id, machine_id, kind, at, received_at, user_id, note)
    select id, machine_id, kind, created_at, created_at, by_user_id, reason from made`.execute(trx)
}

async function createRule(
  trx: Transaction<DB>,
  { machineId, lang, madeAt }: { readonly machineId: number; readonly lang: Lang; readonly madeAt: number },
  { condition, level, onDelay, text, instruction }: DemoRule,
): Promise<number> {
  const at = new Date(madeAt - 7 * dayMs)
  const { id } = await trx
    .insertInto('alarm_rules')
    .values({
      machine_id: machineId,
      level,
      condition: JSON.stringify(condition),
      on_delay: onDelay,
      off_delay: 0,
      text: JSON.stringify(text),
      instruction: instruction?.[lang] ?? null,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface DemoAlarm {
  readonly key: string
  readonly ruleId?: number
  readonly level: machines.AlarmLevel
  readonly text: Both
  readonly value?: number
  readonly limit?: number
  readonly raisedAt: number
  /** Undefined: it is open. */
  readonly clearedAt: number | undefined
  /** Undefined: no person has confirmed it. */
  readonly note: string | undefined
}

/** When a machine was moved, and how far; undefined if it is at its place. */
async function findMoved(trx: Transaction<DB>, machineId: number) {
  const row = await trx
    .selectFrom('machine_places')
    .select(['lat', 'lng', 'anchor_lat', 'anchor_lng', 'away_since'])
    .where('machine_id', '=', machineId)
    .where('is_moved', '=', true)
    .executeTakeFirst()
  const { lat, lng, anchor_lat: anchorLat, anchor_lng: anchorLng, away_since: awaySince } = row ?? {}
  if (lat == null || lng == null || anchorLat == null || anchorLng == null || !awaySince) return undefined
  const metres = Math.round(metresBetween({ lat, lng }, { lat: anchorLat, lng: anchorLng }))
  return { at: awaySince.getTime() + movedAfterMs, metres }
}

/** An alarm with the events that its journal shows. */
async function createAlarm(
  trx: Transaction<DB>,
  { machineId, lang, ownerId }: { readonly machineId: number; readonly lang: Lang; readonly ownerId: number },
  alarm: DemoAlarm,
): Promise<number> {
  const { key, ruleId = null, level, text, value = null, limit = null, note } = alarm
  const raisedAt = new Date(alarm.raisedAt)
  const clearedAt = alarm.clearedAt === undefined ? null : new Date(alarm.clearedAt)
  const confirmedAt = note === undefined ? null : new Date(alarm.raisedAt + 4 * minuteMs)
  const instruction = ruleId === null ? null : JSON.stringify({ '': rules.pressure.instruction[lang] })
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into alarms (machine_id, key, rule_id, tag_id, level, text, value, limit_value, instruction, raised_at,
        received_at, cleared_at, confirmed_at, confirmed_by, note)
      select ${machineId}::bigint, ${key}, ${ruleId}::bigint,
        (select max(id) from tags where ${ruleId}::bigint is not null and machine_id = ${machineId}
           and name = ${rules.pressure.condition.tag.name}),
        ${level}, ${JSON.stringify(text)}::jsonb, ${value === null ? null : JSON.stringify(value)}::jsonb,
        ${limit === null ? null : JSON.stringify(limit)}::jsonb, ${instruction}::jsonb, ${raisedAt}::timestamptz,
        ${raisedAt}::timestamptz, ${clearedAt}::timestamptz, ${confirmedAt}::timestamptz,
        case when ${confirmedAt}::timestamptz is not null then ${ownerId}::bigint end, ${note ?? ''}
      returning *
    ), events as (
    insert into alarm_events (alarm_id, machine_id, kind, at, received_at, user_id, note, level, raisings, count, value)
    select id, machine_id, 'raised', raised_at, raised_at, null, '', level, 1, 1, value from made
    union all
    select id, machine_id, 'confirmed', confirmed_at, confirmed_at, confirmed_by, note, level, 0, 1, null
    from made where confirmed_at is not null
    union all
    select id, machine_id, 'cleared', cleared_at, cleared_at, null, '', level, 0, 1, null
    from made where cleared_at is not null
    )
    select id from made`.execute(trx)
  const [made] = rows
  if (!made) throw new Error('The demo made no alarm.')
  return made.id
}
