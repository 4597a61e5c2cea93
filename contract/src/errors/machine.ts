import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Machines, lists and groups of them. */
export const machineErrors = {
  '505': {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '设备密码错误', en: 'Incorrect device password' },
  },
  '12010301': refusal('MACHINE_OWNED', {
    cn: '设备已有所有者，仅 Akey 可以更新密码和密钥',
    en: 'The device has an owner. Only its Akey can renew the password and secret.',
  }),
  '04010112': refusal('MACHINE_ALREADY_ADDED', {
    cn: '该设备已在您的列表中',
    en: 'This device is already in your list',
  }),
  '04010102': refusal('MACHINE_NOT_FOUND', {
    cn: '设备不存在，请核对机器码',
    en: 'No device has this machine code',
  }),
  '04010113': refusal('GROUP_NOT_FOUND', { cn: '分组不存在', en: 'The group doesn’t exist' }),
  '04010114': refusal('MACHINE_PASSWORD_LOCKED', {
    cn: '设备密码错误次数过多，请一小时后再试',
    en: 'Too many incorrect device passwords. Try again in an hour.',
  }),
  '04010115': refusal('MACHINE_LIST_FULL', {
    cn: '设备列表已满（最多 5000 台），请先移除不用的设备',
    en: 'Your device list is full (5,000 devices). Remove a device first.',
  }),
  '04010307': refusal('MACHINE_NOT_LISTED', {
    cn: '设备已不在您的列表中',
    en: 'The device is no longer in your list',
  }),
  '040103010': refusal('MACHINE_GONE', { cn: '设备已被移除', en: 'The device was already removed' }),
  '040104011': refusal('MACHINE_NAME_SPECIAL', {
    cn: '设备名称不能包含 < > " \' \\ ` 和控制字符',
    en: 'Don’t use < > " \' \\ ` or control characters in the device name',
  }),
  '04010406': refusal('MACHINE_REMARK_SPECIAL', {
    cn: '设备备注不能包含 < > " \' \\ ` 和控制字符',
    en: 'Don’t use < > " \' \\ ` or control characters in the device remark',
  }),
  '04010412': refusal('MACHINE_NAME_TAKEN', {
    cn: '列表中已有同名设备',
    en: 'A device with this name is already in your list',
  }),
  ...refusals({
    MACHINE_OWNED: {
      cn: '该设备已属于个人或其他企业',
      en: 'This device already belongs to a person or another enterprise',
    },
  }),
} satisfies Record<string, ErrorKind>
