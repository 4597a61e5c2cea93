import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Signing in, accounts, codes and friends. */
export const accountErrors = {
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
  '07010109': refusal('LOGIN_FAILED', {
    cn: '账号不存在或密码错误',
    en: 'No such account, or the password is wrong',
  }),
  '07010110': refusal('LOGIN_LOCKED', {
    cn: '失败次数过多，账号已锁定，请稍后再试',
    en: 'Too many failures: the account is locked for a while',
  }),
  '07010111': refusal('LOGIN_CODE_NEEDED', {
    cn: '请输入验证码以完成登录',
    en: 'A code is needed to sign in',
  }),
  '07010112': refusal('LOGIN_CODE_WRONG', {
    cn: '验证码错误或已失效',
    en: 'The code is wrong or no longer valid',
  }),
  '01010304': refusal('USER_NOT_FOUND', { cn: '用户不存在', en: 'There is no such user' }),
  ...refusals({
    ACCOUNT_LOCKED: {
      cn: '账号已被平台管理员锁定，请联系管理员',
      en: 'The operator of the platform has locked this account: please ask them',
    },
    TWO_FACTOR_ON: { cn: '两步验证已开启', en: 'The second factor is on already' },
    TWO_FACTOR_OFF: { cn: '两步验证未开启', en: 'The second factor is not on' },
    QR_OVER: {
      cn: '二维码已失效或已被使用，请刷新后重试',
      en: 'This QR code has run out or was used: show a new one',
    },
    FRIEND_SELF: { cn: '不能添加自己', en: 'This is your own account' },
    FRIENDS_FULL: { cn: '好友已达上限（1000 人）', en: 'Your list of friends is full (1,000 people)' },
    CODE_TOO_OFTEN: {
      cn: '验证码发送过于频繁，请稍后再试',
      en: 'Too many codes were asked for: try again later',
    },
    CODE_CLOSED: {
      cn: '验证码错误次数过多，该账号的验证码已停用，请明天再试',
      en: 'Too many wrong codes: no more are taken for this account today',
    },
    CODE_WRONG: { cn: '验证码错误或已过期', en: 'The code is wrong or has expired' },
    TICKET_NEEDED: { cn: '验证已失效，请重新获取验证码', en: 'Please verify the account with a code again' },
    ACCOUNT_TAKEN: { cn: '该手机号或邮箱已被注册', en: 'This phone or e-mail has an account already' },
    ACCOUNT_SAME: { cn: '新账号与当前账号相同', en: 'This is your phone or e-mail already' },
    PASSWORD_COMMON: {
      cn: '该密码过于常见，请换一个',
      en: 'This is one of the most common passwords: choose another',
    },
    ACCOUNT_LAST_OWNER: {
      cn: '您是企业的唯一所有者，请先指定另一位所有者或注销该企业',
      en: 'You are the last owner of an enterprise: make somebody else an owner, or delete the enterprise first',
    },
    ACCOUNT_MACHINES_HELD: {
      cn: '仍有他人持有您设备的权限，请先解除他们的权限，或转让设备',
      en: 'Others hold rights to a device of yours: release them first, or transfer the device',
    },
    ACCOUNT_TRANSFER_OPEN: {
      cn: '您有待确认的设备转让，请先处理或撤回',
      en: 'A transfer of a device by you or to you is open: answer it or take it back first',
    },
    DEVICE_CODE_OVER: { cn: '该登录码无效或已过期', en: 'This code is not known or has run out' },
  }),
} satisfies Record<string, ErrorKind>
