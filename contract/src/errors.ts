import type { Text } from './text.ts'

/** How a failure travels: `http` status, `hwcode` and `hwreason` of the envelope (decision 1), and its text. */
export interface ErrorKind {
  readonly http: number
  readonly hwcode: number
  readonly hwreason: string
  readonly text: Text
}

/**
 * Every error a person can meet, by its code. Nine-digit codes are the seed's and kept digit for digit
 * (decision 7); the short ones are the envelope's own.
 */
export const errors = {
  '113': {
    http: 401,
    hwcode: 113,
    hwreason: 'TOKEN_INVALID',
    text: { cn: '登录已失效，请重新登录', en: 'Invalid token (Token expired), Please log in again.' },
  },
  '400': {
    http: 400,
    hwcode: 400,
    hwreason: 'BAD_REQUEST',
    text: { cn: '请求参数有误', en: 'The request is not valid' },
  },
  '403': {
    http: 403,
    hwcode: 403,
    hwreason: 'FORBIDDEN',
    text: { cn: '您没有操作权限', en: 'User does not have permission to operate' },
  },
  '404': { http: 404, hwcode: 404, hwreason: 'NOT_FOUND', text: { cn: '请求的内容不存在', en: 'Not found' } },
  '413': {
    http: 413,
    hwcode: 413,
    hwreason: 'TOO_LARGE',
    text: { cn: '内容超过允许的大小', en: 'The content is larger than allowed' },
  },
  '429': {
    http: 429,
    hwcode: 429,
    hwreason: 'TOO_MANY_REQUESTS',
    text: { cn: '操作过于频繁，请稍后再试', en: 'Too many requests, please try again later' },
  },
  '500': {
    http: 500,
    hwcode: 500,
    hwreason: 'SERVER_ERROR',
    text: { cn: '服务器内部错误', en: 'Server-api Error' },
  },
  '503': {
    http: 503,
    hwcode: 503,
    hwreason: 'UNAVAILABLE',
    text: { cn: '服务暂不可用，请稍后再试', en: 'The service is not available, please try again' },
  },
  '505': {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '设备密码错误', en: 'The machine password is wrong' },
  },
  '07010109': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_FAILED',
    text: { cn: '账号不存在或密码错误', en: 'No such account, or the password is wrong' },
  },
  '07010110': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_LOCKED',
    text: {
      cn: '失败次数过多，账号已锁定，请稍后再试',
      en: 'Too many failures: the account is locked for a while',
    },
  },
  '04010112': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_ALREADY_ADDED',
    text: { cn: '该设备已在您的列表中', en: 'This machine is already in your list' },
  },
  '04010102': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_NOT_FOUND',
    text: { cn: '设备不存在，请核对机器码', en: 'No machine has this code' },
  },
  '04010113': {
    http: 200,
    hwcode: 420,
    hwreason: 'GROUP_NOT_FOUND',
    text: { cn: '分组不存在', en: 'The group does not exist' },
  },
  '04010114': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_PASSWORD_LOCKED',
    text: {
      cn: '设备密码错误次数过多，请一小时后再试',
      en: 'Too many wrong machine passwords: try again in an hour',
    },
  },
  '04010115': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_LIST_FULL',
    text: {
      cn: '设备列表已满（最多 5000 台），请先移除不用的设备',
      en: 'Your list is full (5,000 machines): remove one you do not need first',
    },
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors
