import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Machines, lists and groups of them. */
export const machineErrors = {
  '505': {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '设备密码错误', en: 'The machine password is wrong' },
  },
  '12010301': refusal('MACHINE_OWNED', {
    cn: '设备已有所有者，只有其 A 钥匙持有人可以更换密码和密钥',
    en: 'The device has an owner: only its Akey can renew its password and secret',
  }),
  '04010112': refusal('MACHINE_ALREADY_ADDED', {
    cn: '该设备已在您的列表中',
    en: 'This device is already in your list',
  }),
  '04010102': refusal('MACHINE_NOT_FOUND', {
    cn: '设备不存在，请核对机器码',
    en: 'No device has this code',
  }),
  '04010113': refusal('GROUP_NOT_FOUND', { cn: '分组不存在', en: 'The group does not exist' }),
  '04010114': refusal('MACHINE_PASSWORD_LOCKED', {
    cn: '设备密码错误次数过多，请一小时后再试',
    en: 'Too many wrong machine passwords: try again in an hour',
  }),
  '04010115': refusal('MACHINE_LIST_FULL', {
    cn: '设备列表已满（最多 5000 台），请先移除不用的设备',
    en: 'Your list is full (5,000 devices): remove one you do not need first',
  }),
  '04010307': refusal('MACHINE_NOT_LISTED', {
    cn: '设备已不在您的列表中',
    en: 'The device is not in your list any more',
  }),
  '040103010': refusal('MACHINE_GONE', { cn: '设备已被移除', en: 'The device was removed already' }),
  '040104011': refusal('MACHINE_NAME_SPECIAL', {
    cn: '设备名称不能包含 < > " \' \\ ` 和控制字符',
    en: 'A device’s name cannot contain < > " \' \\ ` or control characters',
  }),
  '04010406': refusal('MACHINE_REMARK_SPECIAL', {
    cn: '设备备注不能包含 < > " \' \\ ` 和控制字符',
    en: 'A device’s remark cannot contain < > " \' \\ ` or control characters',
  }),
  '04010412': refusal('MACHINE_NAME_TAKEN', {
    cn: '列表中已有同名设备',
    en: 'A device of this name is in your list already',
  }),
  ...refusals({
    MACHINE_OWNED: {
      cn: '该设备已属于个人或其他企业',
      en: 'This device belongs to a person or another enterprise already',
    },
  }),
} satisfies Record<string, ErrorKind>
