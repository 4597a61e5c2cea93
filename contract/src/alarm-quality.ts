import { z } from 'zod'
import { alarmContexts } from './alarm-fields.ts'
import { alarmLimits } from './alarm-limits.ts'
import { csvWish, eidOrPersonal, id, instant } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { route } from './route.ts'

/**
 * The number of alarms that a person can handle, by EEMUA 191 and ISA-18.2. `perTenMinutes` and `perDay` are the
 * average rates that count as acceptable and as manageable; a flood begins at `floodPerTenMinutes` alarms in ten
 * minutes and ends below `floodEndPerTenMinutes`; an alarm chatters with `chatterTimes` raisings within a minute, and
 * stands too long after a day (rules/alarms.md: quality report).
 */
export const alarmTargets = {
  perTenMinutes: { acceptable: 1, manageable: 2 },
  perDay: { acceptable: 150, manageable: 300 },
  floodPerTenMinutes: 10,
  floodEndPerTenMinutes: 5,
  floodPercentMax: 1,
  chatterTimes: 3,
  chatterMs: 60_000,
  standingMs: 24 * 3_600_000,
  standingMax: 5,
} as const

/** The rating of an average rate by `alarmTargets`. */
export const alarmRatings = ['acceptable', 'manageable', 'tooMany'] as const
export type AlarmRating = (typeof alarmRatings)[number]

const rate = z.object({
  average: z.number(),
  highest: z.int(),
  highestAt: instant.nullable(),
  rating: z.enum(alarmRatings).describe('Of the average, by EEMUA 191'),
})

const named = {
  ...alarmContexts,
  alarmId: id.describe('The latest of them'),
  key: z.string(),
  level: z.enum(alarmLevels),
  text: z.string().describe('The alarm’s text'),
}

const period = z.object({
  eid: eidOrPersonal.describe('An enterprise of the caller; without it the caller’s own list'),
  groupId: id.optional().describe('Devices of this group only'),
  machineId: id.optional().describe('This device only'),
  from: instant,
  to: instant,
})

/** Shelved alarms are counted like all others: the machine raised them. */
export const getAlarmQuality = route({
  method: 'GET',
  path: '/api/v1/alarm/quality',
  who: 'user',
  load: 'report',
  title: { cn: '报警质量', en: 'Get the alarm quality figures' },
  request: period,
  answer: z.object({
    from: instant,
    to: instant,
    raised: z.int().describe('How often alarms were raised'),
    byLevel: z.array(z.object({ level: z.enum(alarmLevels), raised: z.int() })),
    perTenMinutes: rate,
    perDay: rate,
    byDay: z
      .array(z.object({ from: instant, raised: z.int() }))
      .max(alarmLimits.alarmQualityDaysMax + 1)
      .describe('The oldest first'),
    floods: z
      .array(z.object({ from: instant, to: instant, raised: z.int(), peak: z.int() }))
      .max(alarmLimits.alarmFloodsMax)
      .describe('The largest, the largest first'),
    floodsCount: z.int(),
    floodPercent: z.number().describe('The part of the period in floods'),
    chattering: z
      .array(z.object({ ...named, raised: z.int(), peak: z.int() }))
      .max(alarmLimits.alarmQualityRowsMax)
      .describe('Alarms that were raised at least three times within a minute, the worst first'),
    chatteringCount: z.int(),
    standing: z
      .array(z.object({ ...named, raisedAt: instant.describe('When it was raised, by the device’s clock') }))
      .max(alarmLimits.alarmQualityRowsMax)
      .describe('Alarms that stood longer than a day at the end of the period, the oldest first'),
    standingCount: z.int(),
    worst: z
      .array(z.object({ ...named, raised: z.int(), percent: z.number() }))
      .max(10)
      .describe('The alarms that were raised most often'),
    worstPercent: z.number().describe('The part of all raisings that these are'),
  }),
  errors: ['SPAN_INVALID', 'ALARM_SPAN'],
})
export type AlarmQuality = z.output<typeof getAlarmQuality.answer>

export const exportAlarmQuality = route({
  method: 'GET',
  path: '/api/v1/alarm/csv/quality',
  who: 'user',
  load: 'report',
  title: { cn: '导出报警质量', en: 'Export the alarm quality figures as CSV' },
  request: period.extend(csvWish),
  answer: z.object({
    csv: z.string().describe('UTF-8, with a heading line'),
    lines: z.int().describe('How many lines it has without the heading'),
  }),
  errors: ['SPAN_INVALID', 'ALARM_SPAN'],
})
