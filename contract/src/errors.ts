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
  BLACKLIST: {
    http: 200,
    hwcode: 203,
    hwreason: 'BLACKLIST',
    text: { cn: '您已被该设备列入黑名单', en: 'You are on this machine’s blacklist' },
  },
  ADMINISTRATOR: {
    http: 200,
    hwcode: 203,
    hwreason: 'ADMINISTRATOR',
    text: { cn: '您已是该设备的管理员，无需申请', en: 'You are a key holder of this machine already' },
  },
  GENERAL_USER: {
    http: 200,
    hwcode: 203,
    hwreason: 'GENERAL_USER',
    text: {
      cn: '您还没有进入该设备的权限，请联系设备的管理员',
      en: 'You have no right to enter this machine yet: ask its key holders',
    },
  },
  WRONG_ROLE: {
    http: 200,
    hwcode: 203,
    hwreason: 'WRONG_ROLE',
    text: {
      cn: '您对该设备的角色已变更，请刷新后重试',
      en: 'Your role on this machine is not what it was: reload and try again',
    },
  },
  CLOUD_EXPIRED: {
    http: 200,
    hwcode: 416,
    hwreason: 'CLOUD_EXPIRED',
    text: { cn: '设备的云服务已关闭', en: 'The cloud service of this machine is closed' },
  },
  ClOUD_VISIT_TIMEOUT: {
    http: 200,
    hwcode: 504,
    hwreason: 'ClOUD_VISIT_TIMEOUT',
    text: { cn: '设备未在规定时间内响应', en: 'The machine did not answer in time' },
  },
  REST_TIME_OUT: {
    http: 200,
    hwcode: 507,
    hwreason: 'REST_TIME_OUT',
    text: { cn: '您的访问时间已结束', en: 'Your visit time is over' },
  },
  VISITS_OFF: {
    http: 200,
    hwcode: 420,
    hwreason: 'VISITS_OFF',
    text: {
      cn: '当前地址不能进入设备：请使用域名打开平台，并由管理员设置 VISIT_HOST',
      en: 'Machines cannot be entered from this address: open the platform by its name, and have VISIT_HOST set',
    },
  },
  TARGET_UNKNOWN: {
    http: 200,
    hwcode: 420,
    hwreason: 'TARGET_UNKNOWN',
    text: { cn: '设备没有这个页面', en: 'The machine has no such page' },
  },
  TARGET_NOT_READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'TARGET_NOT_READ_ONLY',
    text: {
      cn: '您只有只读权限，而此页面无法限制为只读',
      en: 'You may only watch, and this page cannot be kept from changing things',
    },
  },
  CONTROL_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'CONTROL_TAKEN',
    text: { cn: '控制权在他人手中', en: 'Somebody else is in control of this machine' },
  },
  READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'READ_ONLY',
    text: { cn: '您对该设备只有只读权限', en: 'You may only watch this machine' },
  },
  MACHINE_OFFLINE: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_OFFLINE',
    text: { cn: '设备不在线，未写入', en: 'The machine is offline: nothing was written' },
  },
  TAG_READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'TAG_READ_ONLY',
    text: { cn: '该变量不可写', en: 'This value cannot be set' },
  },
  VALUE_TYPE: {
    http: 200,
    hwcode: 420,
    hwreason: 'VALUE_TYPE',
    text: { cn: '写入的值与变量类型不符', en: 'The value does not fit the kind of this tag' },
  },
  VALUE_RANGE: {
    http: 200,
    hwcode: 420,
    hwreason: 'VALUE_RANGE',
    text: { cn: '写入的值超出允许范围', en: 'The value is outside what this tag allows' },
  },
  WRITE_UNSUPPORTED: {
    http: 200,
    hwcode: 420,
    hwreason: 'WRITE_UNSUPPORTED',
    text: { cn: '设备不接受写入', en: 'The machine takes no writes' },
  },
  PROOF_NEEDED: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_NOT_PROVED',
    text: { cn: '请先验证登录密码', en: 'Please confirm your password first' },
  },
  PASSWORD_WRONG: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '登录密码错误', en: 'Your password is wrong' },
  },
  '01010304': {
    http: 200,
    hwcode: 420,
    hwreason: 'USER_NOT_FOUND',
    text: { cn: '用户不存在', en: 'There is no such user' },
  },
  '01010305': {
    http: 200,
    hwcode: 420,
    hwreason: 'ALREADY_HOLDS',
    text: { cn: '该用户已拥有此权限', en: 'This user has that right already' },
  },
  '01010306': {
    http: 200,
    hwcode: 420,
    hwreason: 'AKEY_ONLY',
    text: { cn: '需要 A 钥匙持有人操作', en: 'Only the Akey can do this' },
  },
  '01010307': {
    http: 200,
    hwcode: 420,
    hwreason: 'USER_LIST_FULL',
    text: {
      cn: '该用户的设备列表已满（最多 5000 台）',
      en: 'This user’s machine list is full (5,000 machines)',
    },
  },
  '01010408': {
    http: 200,
    hwcode: 420,
    hwreason: 'VISIT_TIME_OVER',
    text: { cn: '访问时间早已结束', en: 'The visit time was over already' },
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors
