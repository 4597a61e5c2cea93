import type { Text } from '../../i18n/text.ts'
import { startOfZoneDay } from './instants.ts'

/** A stretch of time, in epoch milliseconds. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** A span that is chosen by its name. */
export interface SpanPreset {
  readonly label: string
  readonly spanAt: (now: number, zone: string) => TimeSpan
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const spans = {
  lastHour: (now) => ({ from: now - hourMs, to: now }),
  last24Hours: (now) => ({ from: now - dayMs, to: now }),
  today: (now, zone) => ({ from: startOfZoneDay(now, zone), to: startOfZoneDay(now, zone, 1) }),
  yesterday: (now, zone) => ({ from: startOfZoneDay(now, zone, -1), to: startOfZoneDay(now, zone) }),
  last7Days: (now, zone) => ({ from: startOfZoneDay(now, zone, -6), to: startOfZoneDay(now, zone, 1) }),
  last30Days: (now, zone) => ({ from: startOfZoneDay(now, zone, -29), to: startOfZoneDay(now, zone, 1) }),
} as const satisfies Record<string, SpanPreset['spanAt']>

export type PresetName = keyof typeof spans

/** Presets by their names, as far as a page wants them. */
export function listPresets(t: Text['kit'], names: readonly PresetName[]): SpanPreset[] {
  return names.map((name) => ({ label: t.presets[name], spanAt: spans[name] }))
}
