import { outside } from './outside.ts'

const words = {
  loading: '正在加载…',
  unknownTitle: '链接无效或已过期',
  unknownBody: '请使用最新一封邮件中的链接，或登录平台查看。',
  toSignIn: '登录平台',
  failedTitle: '无法加载',
  failedBody: '请检查网络连接后重试。',
  retry: '重试',
  actFailed: '操作失败，请稍后重试。',
  alarm: {
    title: '设备报警',
    doneTitle: '报警已确认',
    levels: { critical: '紧急', major: '重要', minor: '一般', info: '提示' },
    device: '设备',
    value: '报警时的值',
    limit: '限值',
    raisedAt: '报警时间',
    clearedAt: '恢复时间',
    count: '次数',
    confirmed: '确认',
    confirmedBy: (who: string, at: string) => `${who}，${at}`,
    time: (at: string, offset: string) => `${at}（${offset}）`,
    on: '开',
    off: '关',
    submit: '确认报警',
    hint: '确认表示您已知晓此报警，不会改变设备的运行。',
    notAllowed: '您不能确认此报警。请联系设备的 Akey 或登录平台查看。',
  },
  contact: {
    alarms: {
      title: '接收设备报警',
      lead: (from: string, email: string) => `“${from}”希望将设备报警发送至 ${email}。`,
      hint: '确认后，报警邮件将发送至该邮箱。每封邮件中都有退订链接。',
      submit: '同意接收',
      doneTitle: '邮箱已确认',
      doneBody: (from: string, email: string) => `“${from}”的设备报警将发送至 ${email}。`,
    },
    reports: {
      title: '接收定期报告',
      lead: (from: string, email: string) => `“${from}”希望将定期报告发送至 ${email}。`,
      hint: '确认后，定期报告将发送至该邮箱。每封邮件中都有退订链接。',
      submit: '同意接收',
      doneTitle: '已同意接收',
      doneBody: (from: string, email: string) => `“${from}”的定期报告将发送至 ${email}。`,
    },
  },
  thisAddress: '此邮箱',
  yourAddress: '您的邮箱',
  unsubscribe: {
    reports: {
      title: '退订定期报告',
      lead: (from: string, email: string) => `${email} 将不再收到“${from}”的定期报告。`,
      hint: '如不想再收到任何通知邮件，可登录后在通知设置中关闭。',
      submit: '退订',
      doneTitle: '已退订',
      doneBody: (from: string, email: string) => `${email} 不会再收到“${from}”的定期报告。`,
    },
    alarms: {
      title: '退订报警邮件',
      lead: (from: string, email: string) => `${email} 将不再收到“${from}”的设备报警。`,
      hint: '如需恢复接收，请联系添加您的人。',
      submit: '退订',
      doneTitle: '已退订',
      doneBody: (from: string, email: string) => `${email} 不会再收到“${from}”的设备报警。`,
    },
    account: {
      title: '关闭邮件通知',
      lead: (_: string, email: string) =>
        `${email} 将不再收到报警、报告和邀请邮件。验证码等账号邮件不受影响。`,
      hint: '登录后可在通知设置中重新开启。',
      submit: '关闭邮件通知',
      doneTitle: '邮件通知已关闭',
      doneBody: (_: string, email: string) => `${email} 不会再收到报警、报告和邀请邮件。`,
    },
  },
}

export type AlarmLinksText = typeof words

/** The texts of the pages that links in mails open, with those of the parts they share with the sign-in. */
export const alarmLinks = { ...outside, alarmLinks: words }
