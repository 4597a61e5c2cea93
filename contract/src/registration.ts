import { z } from 'zod'
import {
  chosenPassword,
  code,
  countryCode,
  email,
  personName,
  phone,
  typedAccount,
} from './account-fields.ts'
import { id, nothing } from './fields.ts'
import { route } from './route.ts'

/** An account in the two fields that clients send: one of them is given. */
const account = { phone: phone.optional(), countryCode, email: email.optional() }

/** Sends the code as well, unless this browser has one of `register` for this account already. */
export const register = route({
  method: 'POST',
  path: '/api/user/v1/register',
  who: 'public',
  limits: ['asks', 'accountTries'],
  title: { cn: '注册', en: 'Register' },
  request: z.object({
    ...account,
    password: chosenPassword,
    name: personName,
    oemid: z.string().min(1).max(64).optional(),
    hideMap: z.boolean().default(false),
  }),
  answer: z.object({
    expireIn: z.int().describe('Seconds the code lives'),
    retryIn: z.int().describe('Seconds until another one may be asked for'),
  }),
  errors: ['ACCOUNT_TAKEN', 'PASSWORD_COMMON', 'CODE_TOO_OFTEN', 'CODE_CLOSED'],
})

/**
 * A client that does not send back the cookie of `register` may give the password again. With neither of them the
 * registration's password counts, unless another person began a registration for the account: then the answer is 0.
 */
export const activateAccount = route({
  method: 'POST',
  path: '/api/user/activeAccount',
  who: 'public',
  limits: ['accountTries'],
  title: { cn: '激活账号', en: 'Activate an account' },
  request: z.object({
    activeAccount: typedAccount,
    SMSVerificationCode: code,
    countryCode,
    password: chosenPassword
      .optional()
      .describe('Of a client that keeps no cookies: the password to sign in with'),
  }),
  answer: z.union([z.literal(1), z.literal(0)]).describe('1: the account is there'),
  errors: ['CODE_WRONG', 'CODE_CLOSED', 'ACCOUNT_TAKEN', 'PASSWORD_COMMON'],
  bare: true,
  failsAs: 'zero',
})

export const changeLoginPassword = route({
  method: 'POST',
  path: '/api/user/changeLoginPwd',
  who: 'public',
  limits: ['accountTries'],
  title: { cn: '重置登录密码', en: 'Reset a forgotten password' },
  request: z.object({ account: typedAccount, newPwd: chosenPassword, countryCode }),
  answer: z.union([z.literal(1), z.literal(0)]).describe('1: the password is set'),
  errors: ['TICKET_NEEDED', 'PASSWORD_COMMON'],
  bare: true,
  failsAs: 'zero',
})

export const resetPassword = route({
  method: 'PUT',
  path: '/api/user/v1/password',
  who: 'public',
  limits: ['accountTries'],
  title: { cn: '设置新密码', en: 'Set a new password' },
  request: z.object({ ...account, password: chosenPassword }),
  answer: nothing,
  errors: ['TICKET_NEEDED', 'PASSWORD_COMMON'],
  failsAs: 400,
})

/** Needs the ticket of the new phone or e-mail and the password within the last ten minutes. */
export const updateAccount = route({
  method: 'PUT',
  path: '/api/user/v1/account',
  who: 'user',
  title: { cn: '更换手机或邮箱', en: 'Change your phone number or e-mail' },
  request: z.object(account),
  answer: nothing,
  errors: ['TICKET_NEEDED', 'PROOF_NEEDED', 'ACCOUNT_TAKEN', 'ACCOUNT_SAME'],
  failsAs: 420,
})

export const updateUserName = route({
  method: 'PUT',
  path: '/api/user/v1/userName',
  who: 'user',
  title: { cn: '修改姓名', en: 'Change your name' },
  request: z.object({ name: personName }),
  answer: nothing,
  errors: [],
  failsAs: 400,
})

export const confirmAccount = route({
  method: 'GET',
  path: '/api/user/v1/confirmAccount',
  who: 'public',
  limits: ['asks'],
  title: { cn: '账号是否存在', en: 'Check whether an account exists' },
  request: z.object(account),
  answer: nothing,
  errors: ['01010304'],
})

export const getUserId = route({
  method: 'POST',
  path: '/api/user/getUserId',
  who: 'user',
  limits: [{ rate: 'asks', countedBy: 'route' }],
  title: { cn: '按账号查找用户', en: 'Find a person by their exact account' },
  request: z.object({ account: typedAccount.optional(), countryCode }),
  answer: z.object({ userid: id, name: z.string() }),
  errors: ['01010304'],
})
