import type { Outage } from './connection-plan.ts'
import type { ToldFault } from './fault-schedule.ts'
import { demoTank } from './profiles/index.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The faults in progress when the demo is first opened: a fault by profile, with the minutes until it is at its
 * worst. These profiles work day and night, so that a Sunday shows them too.
 */
const chapters: Readonly<Record<string, { fault: string; fullAfterMs: number }>> = {
  // Its alarm has been active for an hour, and someone is on the way.
  'ammonia-chiller': { fault: 'condenser', fullAfterMs: 12 * minuteMs },
  // The flame has been weak for a while: the burner trips within minutes.
  'bakery-oven': { fault: 'flame', fullAfterMs: 16 * minuteMs },
  // These develop during the demo; their alarms come within the hour, and later.
  'booster-pumps': { fault: 'leak', fullAfterMs: 95 * minuteMs },
  modbus: { fault: 'steam', fullAfterMs: 4 * hourMs },
  [demoTank.id]: { fault: 'supply', fullAfterMs: 26 * hourMs },
}

/** The told faults of a profile, for a demo made at `madeAt`. */
export function storyOf(profileId: string, madeAt: number): ToldFault[] {
  const chapter = chapters[profileId]
  return chapter === undefined ? [] : [{ id: chapter.fault, fullAt: madeAt + chapter.fullAfterMs }]
}

/** The one machine whose disk was full once: a stretch of its past was never delivered. */
const lostProfileId = 'screw-compressor'

/** When a profile lost samples; undefined for those that never did. */
export function lostSpanOf(profileId: string, madeAt: number): Outage | undefined {
  return profileId === lostProfileId ? [madeAt - 53 * hourMs, madeAt - 51.5 * hourMs] : undefined
}
