import { z } from 'zod'
import { code, countryCode, email, phone } from './account-fields.ts'
import { route } from './route.ts'

/** The purposes of a code; a ticket of one is worth nothing for another. */
export const codePurposes = [
  'register',
  'login',
  'resetPassword',
  'changeAccount',
  'twoFactor',
  'deleteAccount',
  'deleteEnterprise',
] as const
export type CodePurpose = (typeof codePurposes)[number]

/** Letters and digits that are not taken for one another; case is ignored (rules/accounts.md: codes). */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

const purpose = z.enum(codePurposes)
const sent = z.object({
  expireIn: z.int().describe('Seconds the code lives'),
  retryIn: z.int().describe('Seconds until another one may be asked for'),
})
const checked = z.object({}).describe('The ticket is a cookie that only this browser has')

/**
 * For register and changeAccount the answer reveals that the account is taken; for the others it reveals nothing about
 * the account.
 */
export const sendEmailCode = route({
  method: 'POST',
  path: '/api/common/emailCode',
  aliases: ['/api/user/common/emailCode'],
  who: 'public',
  limits: ['asks'],
  title: { cn: '发送邮箱验证码', en: 'Send a code by e-mail' },
  request: z.object({ email, purpose }),
  answer: sent,
  errors: ['CODE_TOO_OFTEN', 'CODE_CLOSED', 'ACCOUNT_TAKEN'],
})

export const sendPhoneCode = route({
  method: 'POST',
  path: '/api/common/mobSendMessage',
  aliases: ['/api/user/common/mobSendMessage'],
  who: 'public',
  limits: ['asks'],
  title: { cn: '发送短信验证码', en: 'Send a code by SMS' },
  request: z.object({ phone, countryCode, purpose }),
  answer: sent,
  errors: ['CODE_TOO_OFTEN', 'CODE_CLOSED', 'ACCOUNT_TAKEN'],
})

export const checkPhoneCode = route({
  method: 'POST',
  path: '/api/common/mobCheckCode',
  aliases: ['/api/user/common/mobCheckCode'],
  who: 'public',
  limits: ['codeChecks'],
  title: { cn: '校验短信验证码', en: 'Check a code sent by SMS' },
  request: z.object({ phone, countryCode, code, purpose }),
  answer: checked,
  errors: ['CODE_WRONG', 'CODE_CLOSED'],
})

export const checkEmailCode = route({
  method: 'POST',
  path: '/api/common/emailVerify',
  aliases: ['/api/user/common/emailVerify'],
  who: 'public',
  limits: ['codeChecks'],
  title: { cn: '校验邮箱验证码', en: 'Check a code sent by e-mail' },
  request: z.object({ email, code, purpose }),
  answer: checked,
  errors: ['CODE_WRONG', 'CODE_CLOSED'],
})

export const verifyEmail = route({
  method: 'GET',
  path: '/api/user/v1/emailVerify',
  who: 'public',
  limits: ['codeChecks'],
  title: { cn: '校验邮箱验证码', en: 'Check a code sent by e-mail' },
  request: z.object({ email, code, purpose }),
  answer: checked,
  errors: ['CODE_WRONG', 'CODE_CLOSED'],
})

export const listCountryCodes = route({
  method: 'GET',
  path: '/api/common/countryCodes',
  who: 'public',
  title: { cn: '国家和地区的电话区号', en: 'List the dial codes of countries and regions' },
  request: z.object({}),
  answer: z.array(
    z.object({
      country: z.string().describe('English name'),
      chineseName: z.string(),
      dialCode: z.string().describe('Digits, without +'),
    }),
  ),
  errors: [],
})
