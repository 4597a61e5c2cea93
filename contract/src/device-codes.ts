import { z } from 'zod'
import { nothing, shortText, terminalId } from './fields.ts'
import { limits } from './limits.ts'
import { programs, route } from './route.ts'

const deviceCode = z.string().regex(/^dev\.[A-Za-z0-9_-]{43}$/, { message: 'deviceCode' })
/** Read aloud or typed from another screen: letters that look like others are left out, case and `-` ignored. */
const userCode = z
  .string()
  .max(16)
  .transform((text) => text.toUpperCase().replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[23456789ABCDEFGHJKMNPQRSTUVWXYZ]{8}$/, { message: 'userCode' }))

/** The state of a program's code without a session: not decided, refused, run out or used, or polled too soon. */
export const deviceCodeStates = ['waiting', 'refused', 'expired', 'slowDown'] as const
export type DeviceCodeState = (typeof deviceCodeStates)[number]

/** A program asks to be signed in; a person confirms it in a browser where they are (after RFC 8628). */
export const createDeviceCode = route({
  method: 'POST',
  path: '/api/user/v1/deviceCode',
  who: 'public',
  limits: ['signInCodes'],
  title: { cn: '程序登录码', en: 'Get a sign-in code for an app' },
  request: z.object({
    terminalName: shortText(1, limits.terminalNameMax),
    terminalUUID: terminalId,
    program: z.enum(programs).optional().describe('Its session reaches only the calls of this program'),
  }),
  answer: z.object({
    deviceCode: z.string(),
    userCode: z.string().describe('The code that the person types: XXXX-XXXX'),
    verifyUrl: z.string().describe('Where they type it'),
    expireIn: z.int().describe('Seconds'),
    interval: z.int().describe('Seconds between two askings'),
  }),
  errors: [],
})

/** The program of a code, shown before it is confirmed. */
export const scanDeviceCode = route({
  method: 'POST',
  path: '/api/user/v1/deviceCode/scan',
  who: 'user',
  limits: ['asks'],
  title: { cn: '查看程序登录请求', en: 'Get an app’s sign-in request' },
  request: z.object({ userCode }),
  answer: z.object({
    terminalName: z.string(),
    ip: z.string(),
    place: z.string().describe('Empty where the address has no known place'),
    program: z.enum(programs).nullable().describe('Null: an app that uses the whole account'),
  }),
  errors: ['DEVICE_CODE_OVER'],
})

export const confirmDeviceCode = route({
  method: 'POST',
  path: '/api/user/v1/deviceCode/confirm',
  who: 'user',
  limits: ['asks'],
  title: { cn: '确认程序登录', en: 'Approve or decline an app’s sign-in' },
  request: z.object({ userCode, ok: z.boolean() }),
  answer: nothing,
  errors: ['DEVICE_CODE_OVER'],
})

export const redeemDeviceCode = route({
  method: 'POST',
  path: '/api/user/v1/deviceCode/token',
  who: 'public',
  limits: ['deviceCodeChecks'],
  title: { cn: '领取程序登录令牌', en: 'Get the session of an approved code' },
  request: z.object({ deviceCode }),
  answer: z.union([z.object({ token: z.string() }), z.object({ state: z.enum(deviceCodeStates) })]),
  errors: [],
})
