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

const hourMs = 3_600_000
const dayMs = 24 * hourMs

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
