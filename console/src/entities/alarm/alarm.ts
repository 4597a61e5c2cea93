import type { alarms, machines } from '@busbar/contract'
import type { TagTone } from '../../shared/ui/tag.tsx'

export type Alarm = alarms.AlarmRow
export type AlarmStage = alarms.AlarmStage
export type AlarmLevel = machines.AlarmLevel

/** The name of an alarm for people. */
export function nameOfAlarm({ text, key }: Pick<Alarm, 'text' | 'key'>): string {
  return text || key
}

/** Whether it sends no notifications. */
export function isQuiet({ stage }: Pick<Alarm, 'stage'>): boolean {
  return stage === 'shelved' || stage === 'outOfService'
}

/** Only stages that need an action have a colour. */
export const stageTones: Readonly<Record<AlarmStage, TagTone>> = {
  normal: 'plain',
  activeUnacknowledged: 'bad',
  activeAcknowledged: 'warn',
  clearedUnacknowledged: 'warn',
  shelved: 'plain',
  outOfService: 'plain',
}

/** The filters of lists. */
export const alarmStates = [
  'active',
  'cleared',
  'unconfirmed',
  'confirmed',
  'shelved',
  'outOfService',
] as const
export type AlarmState = (typeof alarmStates)[number]

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface LastsWords {
  readonly seconds: (n: number) => string
  readonly minutes: (n: number) => string
  readonly hours: (hours: number, minutes: number) => string
  readonly days: (days: number, hours: number) => string
}

/** A duration in its two largest units. */
export function formatLasts(lengthMs: number, t: LastsWords): string {
  const ms = Math.max(0, lengthMs)
  if (ms < minuteMs) return t.seconds(Math.floor(ms / secondMs))
  if (ms < hourMs) return t.minutes(Math.floor(ms / minuteMs))
  if (ms < dayMs) return t.hours(Math.floor(ms / hourMs), Math.floor((ms % hourMs) / minuteMs))
  return t.days(Math.floor(ms / dayMs), Math.floor((ms % dayMs) / hourMs))
}

/** The spans offered for a shelving. */
export const shelveSpansMs = { hour: hourMs, shift: 8 * hourMs, day: dayMs, week: 7 * dayMs } as const
export type ShelveSpan = keyof typeof shelveSpansMs | 'other'

/** When a shelving of now ends; undefined: no end is chosen, or one that cannot be. */
export function endOfShelve(
  choice: { readonly span: ShelveSpan; readonly at: number | null },
  now: number,
  daysMax: number,
): number | undefined {
  const until = choice.span === 'other' ? choice.at : now + shelveSpansMs[choice.span]
  return until !== null && until > now && until <= now + daysMax * dayMs ? until : undefined
}
