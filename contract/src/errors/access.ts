import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Rights on a machine, applications for them, and transfers. */
export const accessErrors = {
  BLACKLIST: {
    http: 200,
    hwcode: 203,
    hwreason: 'BLACKLIST',
    text: { cn: '您在该设备的黑名单中', en: 'You are on this device’s blacklist' },
  },
  ADMINISTRATOR: {
    http: 200,
    hwcode: 203,
    hwreason: 'ADMINISTRATOR',
    text: { cn: '您已是该设备的钥匙持有人，无需申请', en: 'You are already a key holder of this device' },
  },
  GENERAL_USER: {
    http: 200,
    hwcode: 203,
    hwreason: 'GENERAL_USER',
    text: {
      cn: '您没有进入该设备的权限，请联系钥匙持有人',
      en: 'You don’t have access to this device. Contact its key holders.',
    },
  },
  WRONG_ROLE: {
    http: 200,
    hwcode: 203,
    hwreason: 'WRONG_ROLE',
    text: {
      cn: '您对该设备的权限已变更，请刷新后重试',
      en: 'Your role on this device has changed. Reload and try again.',
    },
  },
  '01010305': refusal('ALREADY_HOLDS', {
    cn: '该用户已拥有此权限',
    en: 'This user already has this permission',
  }),
  '01010306': refusal('AKEY_ONLY', { cn: '仅 Akey 可以操作', en: 'Only the Akey can do this' }),
  '01010307': refusal('USER_LIST_FULL', {
    cn: '该用户的设备列表已满（最多 5000 台）',
    en: 'This user’s device list is full (5,000 devices)',
  }),
  '04010301': refusal('MACHINE_HELD_BY_OTHERS', {
    cn: '其他人仍有该设备的权限，请先收回权限，或转让设备',
    en: 'Other people still have permissions for this device. Revoke them first, or transfer the device.',
  }),
  ...refusals({
    PERSON_BLACKLISTED: {
      cn: '此人在这台设备的黑名单中，请先移出黑名单',
      en: 'This person is on the device’s blacklist. Remove them from the blacklist first.',
    },
    GIVER_READ_ONLY: {
      cn: '您对该设备只有只读权限，不能授予读写权限、移除限制或修改设置',
      en: 'Your access to this device is read-only. You can’t grant read-write access, remove restrictions or change settings.',
    },
    GIVER_WITHOUT_ALARMS: {
      cn: '您未开启该设备的报警接收，不能为他人开启',
      en: 'You don’t get this device’s alarms, so you can’t turn them on for other people',
    },
    GIVER_ENDS_EARLIER: {
      cn: '您自己的访问时间更早结束，不能授予更长的时间',
      en: 'Your own access expires earlier, so you can’t grant a longer time',
    },
    MACHINE_HELD: {
      cn: '其他人仍有该设备的权限，请先收回权限，或转让设备',
      en: 'Other people still have permissions for this device. Revoke them first, or transfer the device.',
    },
    MACHINE_UNOWNED: {
      cn: '该设备没有所有者，请用设备密码添加',
      en: 'This device has no owner. Add it with the device password instead.',
    },
    BIND_TOO_OFTEN: {
      cn: 'Bkey 申请过于频繁，请稍后再试',
      en: 'You sent a Bkey request moments ago. Try again later.',
    },
    VISIT_TOO_OFTEN: {
      cn: '访问申请过于频繁，请稍后再试',
      en: 'You sent a visit request moments ago. Try again later.',
    },
    APPLICATION_GONE: { cn: '该申请已不存在或已结束', en: 'This request doesn’t exist or has ended' },
    PASSWORD_MODE_OFF: {
      cn: '该设备不使用密码审核，请提交申请',
      en: 'This device doesn’t accept the device password for access. Send a request instead.',
    },
    TRANSFER_SELF: { cn: '设备已归您所有', en: 'You already own this device' },
    TRANSFER_WAITING: { cn: '该设备已有待确认的转让', en: 'A transfer of this device is already pending' },
    TRANSFER_GONE: { cn: '该转让已不存在或已结束', en: 'This transfer doesn’t exist or has ended' },
  }),
} satisfies Record<string, ErrorKind>
