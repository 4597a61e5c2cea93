import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Rights on a machine, applications for them, and transfers. */
export const accessErrors = {
  BLACKLIST: {
    http: 200,
    hwcode: 203,
    hwreason: 'BLACKLIST',
    text: { cn: '您已被该设备列入黑名单', en: 'You are on this device’s blacklist' },
  },
  ADMINISTRATOR: {
    http: 200,
    hwcode: 203,
    hwreason: 'ADMINISTRATOR',
    text: { cn: '您已是该设备的管理员，无需申请', en: 'You are a key holder of this device already' },
  },
  GENERAL_USER: {
    http: 200,
    hwcode: 203,
    hwreason: 'GENERAL_USER',
    text: {
      cn: '您还没有进入该设备的权限，请联系设备的管理员',
      en: 'You have no right to enter this device yet: ask its key holders',
    },
  },
  WRONG_ROLE: {
    http: 200,
    hwcode: 203,
    hwreason: 'WRONG_ROLE',
    text: {
      cn: '您对该设备的角色已变更，请刷新后重试',
      en: 'Your role on this device is not what it was: reload and try again',
    },
  },
  '01010305': refusal('ALREADY_HOLDS', { cn: '该用户已拥有此权限', en: 'This user has that right already' }),
  '01010306': refusal('AKEY_ONLY', { cn: '需要 A 钥匙持有人操作', en: 'Only the Akey can do this' }),
  '01010307': refusal('USER_LIST_FULL', {
    cn: '该用户的设备列表已满（最多 5000 台）',
    en: 'This user’s device list is full (5,000 devices)',
  }),
  '04010301': refusal('MACHINE_HELD_BY_OTHERS', {
    cn: '仍有他人持有该设备的权限，请先解除他们的权限，或转让设备',
    en: 'Others still hold rights to this device: release them first, or transfer it',
  }),
  ...refusals({
    PERSON_BLACKLISTED: {
      cn: '此人在这台设备的黑名单中，请先移出黑名单',
      en: 'This person is on the blacklist of this device: take them off it first',
    },
    GIVER_READ_ONLY: {
      cn: '您对该设备只有只读权限，不能授予读写权限、解除限制或修改设置',
      en: 'You may only watch this device: you cannot let others change it, lift a restriction or change its settings',
    },
    GIVER_WITHOUT_ALARMS: {
      cn: '您未开通该设备的报警接收，不能为他人开通',
      en: 'This device’s alarms are not sent to you: you cannot have them sent to others',
    },
    GIVER_ENDS_EARLIER: {
      cn: '您自己的访问时间更早结束，不能授予更长的时间',
      en: 'Your own right ends earlier: you cannot give a longer time',
    },
    MACHINE_HELD: {
      cn: '仍有人持有此设备的权限，请先解除或转让',
      en: 'Others still hold rights to this device: release them first, or transfer it',
    },
    MACHINE_UNOWNED: {
      cn: '该设备没有所有者，请用设备密码添加',
      en: 'Nobody owns this device: add it with its password instead',
    },
    BIND_TOO_OFTEN: {
      cn: '绑定申请过于频繁，请稍后再试',
      en: 'You asked to bind a moment ago: please wait a little',
    },
    VISIT_TOO_OFTEN: {
      cn: '访问申请过于频繁，请稍后再试',
      en: 'You asked to visit a moment ago: please wait a little',
    },
    APPLICATION_GONE: { cn: '该申请已不存在或已结束', en: 'This application is over or was never there' },
    PASSWORD_MODE_OFF: {
      cn: '该设备不使用密码审核，请提交申请',
      en: 'This device’s password lets nobody in: apply instead',
    },
    TRANSFER_SELF: { cn: '设备已归您所有', en: 'The device is yours already' },
    TRANSFER_WAITING: { cn: '该设备已有待确认的转让', en: 'A transfer of this device waits to be accepted' },
    TRANSFER_GONE: { cn: '该转让已不存在或已结束', en: 'This transfer is over or was never there' },
  }),
} satisfies Record<string, ErrorKind>
