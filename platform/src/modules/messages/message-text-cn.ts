import { access, applications, enterprises } from '@busbar/contract'
import type { MessageTexts, TextFacts, Written } from './message-texts.ts'
import { markTime as at } from './message-times.ts'

const { auditStates } = applications
const levels = { critical: '紧急', major: '重要', minor: '一般', info: '提示' }
const modes = { ro: '只读', rw: '可读写' }
const roles = { owner: '所有者', admin: '管理员', member: '成员' }
const rights = { visitor: '访客', bkey: 'Bkey', akey: 'Akey' }
const spanOf = ({ from, until }: TextFacts) =>
  until === enterprises.noEnd ? `${at(from)} 起（无结束时间）` : `${at(from)} 至 ${at(until)}`
/** A visitor's right, and its end. */
function termsOf({ mode, until }: TextFacts): string {
  if (until === access.visitTimes.over) return modes[mode]
  return `${modes[mode]}，${until === access.visitTimes.forever ? '长期有效' : `有效期至 ${at(until)}`}`
}
const noteOf = ({ note }: TextFacts) => (note ? `，留言：${note}` : '')
const blacklistOf = ({ isBlacklisted }: TextFacts) => (isBlacklisted ? '，并已将您加入黑名单' : '')
const rightOf = (facts: TextFacts) =>
  facts.right === 'visitor' ? `访客（${termsOf(facts)}）` : rights[facts.right]

/** A device that is offered, with the enterprise it is of. */
const offeredOf = ({ machine, giver }: TextFacts) => (giver ? `企业“${giver}”的“${machine}”` : `“${machine}”`)

/** The end of an application that was not passed. */
function endOf(facts: TextFacts): string {
  if (facts.auditState === auditStates.refusedByAkey) return `被 Akey 拒绝${blacklistOf(facts)}`
  if (facts.auditState === auditStates.refusedByBkey) return `被 Bkey 拒绝${blacklistOf(facts)}`
  return '已失效：24 小时内未处理，或已撤回'
}

function bindOf({ reader, person, proposer, machine }: TextFacts): string {
  if (reader === 'proposer') return `您提名 ${person} 为“${machine}”的 Bkey 的申请`
  return proposer ? `${proposer} 提名您为“${machine}”的 Bkey 的申请` : `您对“${machine}”的 Bkey 申请`
}

const transferEnds: Readonly<Record<string, string>> = {
  accepted: '已接受',
  refused: '未接受',
  withdrawn: '已不能接受',
  expired: '未在期限内接受',
}
const handoverAnswers: Readonly<Record<string, string>> & { readonly ended: string } = {
  accepted: '已同意，现在可以注销企业并移交设备',
  refused: '未同意',
  ended: '已不能接收（请求已过期或对方已停用）',
}
const windowAnswers = {
  accepted: '已同意',
  refused: '已拒绝',
  suspended: '已暂停',
  ended: '已结束',
}

/** The texts of messages: people, action, device, time. */
export const cn: MessageTexts = {
  bindApply: (facts) => ({
    title: 'Bkey 申请',
    body: facts.proposer
      ? `${facts.proposer} 提名 ${facts.person} 成为“${facts.machine}”的 Bkey，等待 Akey 同意`
      : `${facts.person} 申请成为“${facts.machine}”的 Bkey${noteOf(facts)}`,
  }),
  visitApply: (facts) => ({
    title: '访问申请',
    body: `${facts.person} 申请访问“${facts.machine}”（${modes[facts.mode]}）${noteOf(facts)}`,
  }),
  bindSent: (facts) => ({ title: 'Bkey 申请已提交', body: `${bindOf(facts)}已提交，等待钥匙持有人审核` }),
  visitSent: (facts) => ({
    title: '访问申请已提交',
    body: `您访问“${facts.machine}”（${modes[facts.mode]}）的申请已提交，等待钥匙持有人审核${noteOf(facts)}`,
  }),
  bindReply: (facts) => ({ title: 'Bkey 申请未通过', body: `${bindOf(facts)}${endOf(facts)}` }),
  visitReply: (facts) => ({
    title: '访问申请未通过',
    body: `您访问“${facts.machine}”的申请${endOf(facts)}`,
  }),
  bindSuccess: (facts) => ({
    title: 'Bkey 申请已通过',
    body:
      facts.reader === 'proposer'
        ? `${facts.person} 已成为“${facts.machine}”的 Bkey`
        : `您已成为“${facts.machine}”的 Bkey`,
  }),
  visitSuccess: (facts) => ({
    title: '访问申请已通过',
    body: `您可以访问“${facts.machine}”了：${termsOf(facts)}`,
  }),
  transferOffer: (facts) => ({
    title: '设备转让',
    body: `${facts.person} 请求将${offeredOf(facts)}转让给您，接受后您成为其 Akey`,
  }),
  transferSpaceOffer: (facts) => ({
    title: '向企业转让设备',
    body: `${facts.person} 请求将${offeredOf(facts)}转让给企业“${facts.enterprise}”，接受后设备归“${facts.enterprise}”所有`,
  }),
  handoverAsked: ({ person, enterprise, count, until }) => ({
    title: '企业设备移交请求',
    body: `企业“${enterprise}”注销时，${person} 请求将其 ${count} 台设备移交给您，请在 ${at(until)} 之前处理。接受后，企业注销时您成为这些设备的 Akey`,
  }),
  handoverSpaceAsked: ({ person, enterprise, receiver, count, until }) => ({
    title: '企业设备移交请求',
    body: `企业“${enterprise}”注销时，${person} 请求将其 ${count} 台设备移交给企业“${receiver}”，请在 ${at(until)} 之前处理。接受后，对方企业注销时这些设备归“${receiver}”所有`,
  }),
  handoverReply: ({ person, enterprise, answer }) => ({
    title: answer === 'accepted' ? '对方同意接收企业设备' : '对方未接收企业设备',
    body: `您请求移交企业“${enterprise}”的设备，${person} ${handoverAnswers[answer] ?? handoverAnswers.ended}`,
  }),
  handoverOff: ({ enterprise }) => ({
    title: '企业设备移交已取消',
    body: `您已同意接收企业“${enterprise}”的设备，但对方撤回了移交或不再注销企业，设备不会移交`,
  }),
  handoverDone: ({ enterprise, count }) => ({
    title: '已接收企业设备',
    body: `企业“${enterprise}”已注销，它的 ${count} 台设备已移交给您或您的企业`,
  }),
  enterpriseInvited: ({ person, enterprise, role }) => ({
    title: '企业邀请',
    body: `${person} 邀请您加入企业“${enterprise}”，角色：${roles[role]}`,
  }),
  projectInvited: ({ person, project }) => ({
    title: '项目邀请',
    body: `${person} 邀请您加入项目“${project}”`,
  }),
  projectOwner: ({ person, project }) => ({
    title: '项目已转让给您',
    body: `${person} 将项目“${project}”转让给您，您现在是项目所有者`,
  }),
  projectMachine: ({ person, project, machine }) => ({
    title: '设备已加入项目',
    body: `${person} 将设备“${machine}”加入项目“${project}”，该项目从现在起获取设备数据`,
  }),
  projectQuota: ({ project, percent }) => ({
    title: percent === 100 ? '项目额度已用完' : '项目额度即将用完',
    body:
      percent === 100
        ? `项目“${project}”本月的数据行额度已用完。数据仍会保存，有额度后继续上报`
        : `项目“${project}”本月的数据行额度已使用 ${percent}%`,
  }),
  projectTarget: ({ project, target, targetState }) => targetTexts[targetState](project, target),
  projectKeys: ({ project }) => ({
    title: '项目密钥错误',
    body: `有人使用错误的密钥访问项目“${project}”。如果是您自己的系统，请检查其密钥`,
  }),
  reportRequest: ({ person }) => ({
    title: '接收定期报告',
    body: `${person} 希望通过邮件向您发送设备的定期报告，您同意之前不会发送`,
  }),
  alarmTest: () => ({
    title: '报警通知测试',
    body: '这是一条测试通知：设备发生报警时，您会在消息中心和已打开的页面上收到通知',
  }),
  boardShared: ({ person, board, mode }) => ({
    title: '看板共享',
    body: `${person} 与您共享了看板“${board}”（${mode === 'rw' ? '可编辑' : '仅查看'}），可在您的看板列表中打开`,
  }),
  mailsOff: () => ({
    title: '邮件通知已关闭',
    body: '您的邮件通知已通过邮件中的退订链接全部关闭，报警邮件也不再发送。如需恢复，请在通知设置中重新开启',
  }),
  transferReply: ({ person, machine, transferState }) => ({
    title: transferState === 'accepted' ? '设备已转让' : '设备未转让',
    body: `您转让的“${machine}”，${person} ${transferEnds[transferState] ?? '尚未处理'}`,
  }),
  passwordPassed: (facts) => ({
    title: '设备密码通过',
    body: `${facts.person} 凭设备密码成为“${facts.machine}”的${facts.right === 'visitor' ? '' : ' '}${rightOf(facts)}`,
  }),
  passwordTries: ({ person, machine, count }) => ({
    title: '设备密码多次输错',
    body: `“${machine}”的设备密码一小时内输错 ${count} 次${person ? `，最近一次是 ${person}` : ''}。如非相关人员操作，请修改设备密码`,
  }),
  rightGiven: (facts) => ({
    title: '获得设备权限',
    body: `${facts.person ? `${facts.person} 将您设为` : '您已成为'}“${facts.machine}”的${facts.right === 'visitor' ? '' : ' '}${rightOf(facts)}`,
  }),
  rightTaken: (facts) => ({
    title: '设备权限已取消',
    body: `${facts.person ? `${facts.person} 取消了您` : '您'}在“${facts.machine}”的${facts.right === 'visitor' ? '访客' : ` ${rights[facts.right]} `}身份${facts.person ? blacklistOf(facts) : '已失效'}`,
  }),
  windowAsked: (facts) => ({
    title: '维保申请',
    body: `${facts.enterprise} 申请对“${facts.machine}”进行维保，时间：${spanOf(facts)}${facts.reason ? `，原因：${facts.reason}` : ''}`,
  }),
  windowEnded: (facts) => ({
    title: '维保已结束',
    body: `${facts.enterprise} 结束了对“${facts.machine}”的维保，时间：${spanOf(facts)}`,
  }),
  windowBegan: (facts) => ({
    title: '维保已开始',
    body: `对“${facts.machine}”的维保已开始，时间：${spanOf(facts)}`,
  }),
  windowOver: (facts) => ({
    title: '维保已结束',
    body: `对“${facts.machine}”的维保已结束，时间：${spanOf(facts)}`,
  }),
  windowAnswered: (facts) => ({
    title: '维保申请处理结果',
    body: `${facts.person} ${windowAnswers[facts.answer]}对“${facts.machine}”的维保，时间：${spanOf(facts)}`,
  }),
  spaceLeaving: ({ person, enterprise, until }) => ({
    title: '企业即将注销',
    body: `${person} 申请注销企业“${enterprise}”，${at(until)} 之前任何一位所有者都可以撤销`,
  }),
  spaceStays: ({ person, enterprise }) => ({
    title: '企业注销已撤销',
    body: `${person} 撤销了企业“${enterprise}”的注销`,
  }),
  alarm: ({ machine, alarm, from, count }) => ({
    title: `${levels[alarm.level]}报警`,
    body: `“${machine}”于 ${at(from)} 报警：${alarm.text.cn}${count > 1 ? `（共 ${count} 次）` : ''}`,
  }),
  tagLimit: ({ machine, max, refused }) => ({
    title: '变量超出上限',
    body: `“${machine}”发送的变量超过 ${max} 个，超出部分未保存，例如：${refused.join('、')}`,
  }),
  tagTypes: ({ machine, tags }) => ({
    title: '变量的数据类型反复变化',
    body: `“${machine}”的变量反复改变数据类型，历史曲线因此分段：${tags.join('、')}。请检查设备的数据格式，或在变量设置中指定数据类型。`,
  }),
  impossibleTimes: ({ machine, refused }) => ({
    title: '数据时间无效',
    body: `“${machine}”补传的数据时间早于 2000 年或晚于明天，未保存，例如：${refused.join('、')}。请检查设备时钟。`,
  }),
}

/** The events of a destination. */
const targetTexts: Readonly<Record<TextFacts['targetState'], (project: string, target: string) => Written>> =
  {
    failing: (project, target) => ({
      title: '数据去向持续失败',
      body: `项目“${project}”的数据去向“${target}”持续投递失败。数据不会丢失，将继续重试，最长 72 小时`,
    }),
    recovered: (project, target) => ({
      title: '数据去向已恢复',
      body: `项目“${project}”的数据去向“${target}”已恢复，积压的数据正在补发`,
    }),
    gone: (project, target) => ({
      title: '数据去向已关闭',
      body: `接收方答复 410，项目“${project}”的数据去向“${target}”已关闭`,
    }),
    failedTooLong: (project, target) => ({
      title: '数据去向已关闭',
      body: `项目“${project}”的数据去向“${target}”连续失败 72 小时，已关闭`,
    }),
    operator: (project, target) => ({
      title: '数据去向已关闭',
      body: `平台管理员关闭了项目“${project}”的数据去向“${target}”`,
    }),
  }
