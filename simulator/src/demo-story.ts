import type { Outage } from './connection-plan.ts'
import type { ToldFault } from './fault-schedule.ts'
import { demoTank } from './trades/index.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The faults in progress when the demo is first opened: a fault by trade, with the minutes until it is at its
 * worst. These trades work day and night, so that a Sunday shows them too.
 */
const chapters: Readonly<Record<string, { fault: string; fullAfterMs: number }>> = {
  // Its alarm stands for an hour already, and somebody is on the way.
  'ammonia-chiller': { fault: 'condenser', fullAfterMs: 12 * minuteMs },
  // The flame has been weak for a while: the burner trips within minutes.
  'bakery-oven': { fault: 'flame', fullAfterMs: 16 * minuteMs },
  // These develop while one looks; their alarms come within the hour, and later.
  'booster-pumps': { fault: 'leak', fullAfterMs: 95 * minuteMs },
  modbus: { fault: 'steam', fullAfterMs: 4 * hourMs },
  [demoTank.id]: { fault: 'supply', fullAfterMs: 26 * hourMs },
}

/** The told faults of a trade, for a demo made at `madeAt`. */
export function storyOf(tradeId: string, madeAt: number): ToldFault[] {
  const chapter = chapters[tradeId]
  return chapter === undefined ? [] : [{ id: chapter.fault, fullAt: madeAt + chapter.fullAfterMs }]
}

/** The one machine whose disk was full once: a stretch of its past was never delivered. */
const lostTradeId = 'screw-compressor'

/** When a trade lost samples; undefined for those that never did. */
export function lostSpanOf(tradeId: string, madeAt: number): Outage | undefined {
  return tradeId === lostTradeId ? [madeAt - 53 * hourMs, madeAt - 51.5 * hourMs] : undefined
}
