import { z } from 'zod'
import { eidOrPersonal } from './fields.ts'
import { route } from './route.ts'

/** The ways by which an alarm reaches a person. */
export const alarmWays = ['message', 'push', 'email', 'sms'] as const
export type AlarmWay = (typeof alarmWays)[number]

/**
 * The reasons why a way does not work now: no page is open, no address is set, it is switched off, no service is set up
 * that sends, or the balance is used up.
 */
export const wayHindrances = ['noPage', 'noAddress', 'off', 'noService', 'noStock'] as const
export type WayHindrance = (typeof wayHindrances)[number]

const way = z.object({
  way: z.enum(alarmWays),
  hindrance: z.enum(wayHindrances).nullable(),
})
const ways = z.object({
  ways: z.array(way),
  terminals: z.int(),
  stock: z.int(),
})
export type AlarmWays = z.output<typeof ways>

/** The ways by which alarms reach the caller now; `eid`: those of the enterprise's devices. */
export const getAlarmWays = route({
  method: 'GET',
  path: '/api/v1/alarm/ways',
  who: 'user',
  title: { cn: '当前可用的报警通知方式', en: 'Get the ways by which alarms reach you now' },
  request: z.object({ eid: eidOrPersonal }),
  answer: ways,
  errors: ['403'],
})

/** Sends the caller a test by each way that works; the answer says what stood against the others. */
export const testAlarmWays = route({
  method: 'POST',
  path: '/api/v1/alarm/ways/test',
  who: 'user',
  limits: ['alarmTests'],
  title: { cn: '发送一条测试通知', en: 'Send yourself a test by each way' },
  request: z.object({ eid: eidOrPersonal }),
  answer: ways,
  errors: ['403'],
})
