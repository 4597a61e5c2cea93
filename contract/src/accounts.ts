import { z } from 'zod'
import { id, instant, nothing, page, paged, pageSize, terminalId, terminalType } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export * from './device-codes.ts'
export * from './friends.ts'
export * from './leaving.ts'
export * from './locale.ts'
export * from './qr-login.ts'
export * from './safety.ts'
export * from './second-factors.ts'

export { terminalTypes } from './terminals.ts'

export const login = route({
  method: 'POST',
  path: '/api/user/login',
  who: 'public',
  limits: ['signIns'],
  title: { cn: '登录', en: 'Sign in' },
  request: z.object({
    loginName: z.string().trim().min(1).max(limits.accountMax),
    loginPwd: z.string().min(1).max(256),
    terminalUUID: terminalId,
    countryCode: z
      .string()
      .regex(/^\d{1,4}$/)
      .default('86'),
    terminalType: terminalType.optional(),
    terminalName: z.string().max(limits.terminalNameMax).default('pc'),
    terminalOS: z.string().max(limits.terminalNameMax).optional(),
    loginOemId: z.string().min(1).max(64).optional(),
    challenge: z.string().min(1).max(64).optional().describe('Of a 07010111, with the code it asks for'),
    code: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .optional()
      .describe('The code that was sent, or a code of two-factor authentication'),
  }),
  answer: z.object({
    token: z.string(),
    userid: id,
    phone: z.string(),
    email: z.string(),
    deletionTakenBack: z
      .boolean()
      .describe('The account was to be deleted; signing in canceled the deletion'),
  }),
  errors: ['07010109', '07010110', '07010111', '07010112', 'ACCOUNT_LOCKED'],
})

export const logout = route({
  method: 'POST',
  path: '/api/user/logout',
  who: 'user',
  programs: ['connect'],
  title: { cn: '退出登录', en: 'Sign out' },
  request: z.object({ token: z.string().min(1).max(128).optional() }),
  answer: nothing,
  errors: [],
})

export const selectInfo = route({
  method: 'POST',
  path: '/api/user/selectInfo',
  who: 'user',
  programs: ['connect'],
  title: { cn: '当前用户信息', en: 'Get the signed-in user' },
  request: nothing,
  answer: z.object({
    userid: id,
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    phone_state: z.int().describe('1 verified, otherwise 0'),
    email_state: z.int().describe('1 verified, otherwise 0'),
    account: z.string().describe('Phone with country code, or e-mail'),
    countryCode: z.string(),
    hide_map: z.boolean(),
    lang: z.enum(['cn', 'en']),
    timeZone: z.string().nullable().describe('By IANA; null until it is set'),
    isOperator: z.boolean(),
    twoFactor: z.boolean(),
  }),
  errors: [],
})

const terminal = z.object({
  id,
  type: z.int().describe('1 pc, 2 app, 3 tv, 4 api'),
  name: z.string(),
  ip: z.string(),
  place: z.string().describe('Empty where the address has no known place'),
  loginTime: instant,
  expiredTime: instant,
  current: z.boolean(),
})
export type Terminal = z.output<typeof terminal>

export const listTerminals = route({
  method: 'GET',
  path: '/api/user/v1/tokenInfo',
  who: 'user',
  title: { cn: '已登录终端', en: 'List active sessions' },
  request: z.object({ page, pageSize: pageSize(20, 100) }),
  answer: paged(terminal),
  errors: [],
})

export const removeTerminal = route({
  method: 'DELETE',
  path: '/api/user/v1/tokenInfo/:id',
  who: 'user',
  title: { cn: '退出一个终端', en: 'End a session' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

export const createPushTicket = route({
  method: 'GET',
  path: '/api/user/v1/pushTicket',
  who: 'user',
  title: { cn: '实时推送凭证', en: 'Get a ticket for the push socket' },
  request: nothing,
  answer: z.object({ ticket: z.string().describe('One use, 30 seconds, for /echo.io?sid=') }),
  errors: [],
})

/** Validity of a proved password, in ms (rules/accounts.md: password proof). */
export const proofMs = 600_000

export const getPasswordProof = route({
  method: 'GET',
  path: '/api/user/v1/passVerify',
  who: 'user',
  title: { cn: '是否刚验证过密码', en: 'Check whether the password was confirmed recently' },
  request: nothing,
  answer: z.object({ verified: z.literal(true), until: instant }),
  errors: ['PROOF_NEEDED'],
})

export const provePassword = route({
  method: 'POST',
  path: '/api/user/v1/passVerify',
  who: 'user',
  limits: ['passwordProofs'],
  title: { cn: '验证登录密码', en: 'Confirm your password' },
  request: z.object({ password: z.string().min(1).max(256) }),
  answer: z.object({ until: instant }),
  errors: ['PASSWORD_WRONG', '07010110'],
})
