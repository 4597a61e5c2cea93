import { z } from 'zod'
import { eidOrPersonal, instant, nothing } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const days = (max: number) => z.int().min(limits.retentionDaysMin).max(max)

/** See rules/telemetry.md: retention. */
const lengths = {
  rawDays: days(limits.retentionRawDaysMax),
  minuteDays: days(limits.retentionMinuteDaysMax),
  hourDays: days(limits.retentionHourDaysMax),
}

/** The retention of samples and their averages, in days. */
export type RetentionDays = { readonly [Field in keyof typeof lengths]: number }

const retention = z.object({
  ...lengths,
  next: z.object({ ...lengths, effectiveAt: instant }).nullable(),
})
export type Retention = z.output<typeof retention>

/** The retention of the values of the devices of a person, or of an enterprise. */
export const getRetention = route({
  method: 'GET',
  path: '/api/v1/data/retention',
  who: 'user',
  title: { cn: '数据保留期限', en: 'Get the retention periods' },
  request: z.object({ eid: eidOrPersonal }),
  answer: retention,
  errors: ['403'],
})

/** Longer periods hold at once, shorter ones must be confirmed and hold after `timing.retentionDelayMs`. */
export const setRetention = route({
  method: 'PUT',
  path: '/api/v1/data/retention',
  who: 'user',
  title: { cn: '修改数据保留期限', en: 'Set the retention periods' },
  request: z.object({
    eid: eidOrPersonal,
    rawDays: lengths.rawDays.optional(),
    minuteDays: lengths.minuteDays.optional(),
    hourDays: lengths.hourDays.optional(),
    confirm: z.boolean().optional(),
  }),
  answer: nothing,
  errors: ['403', 'RETENTION_TOO_LONG', 'RETENTION_ORDER', 'RETENTION_CONFIRM'],
})
