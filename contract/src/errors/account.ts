import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Signing in, accounts, codes and friends. */
export const accountErrors = {
  PROOF_NEEDED: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_NOT_PROVED',
    text: { cn: '请先验证登录密码', en: 'Confirm your password first' },
  },
  PASSWORD_WRONG: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '登录密码错误', en: 'Incorrect password' },
  },
  '07010109': refusal('LOGIN_FAILED', {
    cn: '账号不存在或密码错误',
    en: 'Incorrect account or password',
  }),
  '07010110': refusal('LOGIN_LOCKED', {
    cn: '失败次数过多，账号已锁定，请稍后再试',
    en: 'Too many failed attempts. The account is locked temporarily.',
  }),
  '07010111': refusal('LOGIN_CODE_NEEDED', {
    cn: '请输入验证码以完成登录',
    en: 'Enter a code to sign in',
  }),
  '07010112': refusal('LOGIN_CODE_WRONG', {
    cn: '验证码错误或已失效',
    en: 'Incorrect or expired code',
  }),
  '01010304': refusal('USER_NOT_FOUND', { cn: '用户不存在', en: 'User not found' }),
  ...refusals({
    ACCOUNT_LOCKED: {
      cn: '账号已被平台管理员锁定，请联系管理员',
      en: 'The platform operator has locked this account. Contact the operator.',
    },
    TWO_FACTOR_ON: { cn: '两步验证已开启', en: 'Two-factor authentication is already on' },
    TWO_FACTOR_OFF: { cn: '两步验证未开启', en: 'Two-factor authentication is off' },
    QR_OVER: {
      cn: '二维码已失效或已被使用，请刷新后重试',
      en: 'This QR code has expired or was used. Show a new one.',
    },
    FRIEND_SELF: { cn: '不能添加自己', en: 'You can’t add yourself' },
    FRIENDS_FULL: { cn: '好友已达上限（1000 人）', en: 'Your friends list is full (1,000 people)' },
    CODE_TOO_OFTEN: {
      cn: '验证码发送过于频繁，请稍后再试',
      en: 'Too many codes requested. Try again later.',
    },
    CODE_CLOSED: {
      cn: '验证码错误次数过多，该账号的验证码已停用，请明天再试',
      en: 'Too many incorrect codes. Codes for this account are blocked until tomorrow.',
    },
    CODE_WRONG: { cn: '验证码错误或已过期', en: 'Incorrect or expired code' },
    TICKET_NEEDED: { cn: '验证已失效，请重新获取验证码', en: 'Verify the account with a new code' },
    ACCOUNT_TAKEN: { cn: '该手机号或邮箱已被注册', en: 'This phone number or e-mail already has an account' },
    ACCOUNT_SAME: { cn: '新账号与当前账号相同', en: 'This is already your phone number or e-mail' },
    PASSWORD_COMMON: {
      cn: '该密码过于常见，请换一个',
      en: 'This password is too common. Choose another.',
    },
    ACCOUNT_LAST_OWNER: {
      cn: '您是企业的唯一所有者，请先指定另一位所有者或注销该企业',
      en: 'You are the last owner of an enterprise. Appoint another owner or delete the enterprise first.',
    },
    ACCOUNT_MACHINES_HELD: {
      cn: '其他人仍有您设备的权限，请先收回权限，或转让设备',
      en: 'Other people have permissions for your devices. Revoke them first, or transfer the devices.',
    },
    ACCOUNT_TRANSFER_OPEN: {
      cn: '您有待确认的设备转让，请先处理或撤回',
      en: 'You have a pending device transfer. Answer or withdraw it first.',
    },
    DEVICE_CODE_OVER: { cn: '该登录码无效或已过期', en: 'Unknown or expired code' },
  }),
} satisfies Record<string, ErrorKind>
