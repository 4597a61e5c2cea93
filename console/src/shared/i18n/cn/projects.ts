import type { projects } from '@busbar/contract'

const states: Record<projects.ReportingState, string> = {
  failing: '投递失败',
  quotaOver: '额度用完',
  stopped: '平台管理员已停止',
  off: '上报已关闭',
  waiting: '等待设置',
  well: '正常',
}

export const projectsText = {
  title: '我的项目',
  types: { 1: '企业项目', 2: '维保项目' },
  lead: '把设备数据持续送到 MES、ERP 或自有平台，不漏一行。',
  failed: '项目加载失败',
  states,
  list: {
    label: '项目类型',
    search: '搜索项目',
    columns: {
      name: '项目',
      state: '状态',
      machines: '设备',
      quota: '本月剩余额度',
      lag: '延迟',
      worst: '最差的去向',
      owner: '所有者',
      created: '创建时间',
    },
    inTime: '实时',
    add: '新建项目',
    empty: '暂无项目',
    emptyHint:
      '项目收集所选设备的数据，通过 Webhook 或 MQTT 推送到您的系统，也可由您的系统拉取。断线期间的数据会保留并续传。',
    emptyMember: '拥有项目权限的成员可以为企业新建项目。',
  },
  quota: {
    left: (left: string, of: string) => `剩余 ${left} / ${of} 行`,
    none: '添加设备后有额度',
  },
  create: {
    title: '新建项目',
    submit: '创建',
    name: '项目名称',
    description: '说明',
    nameMissing: '请输入项目名称',
    after: '创建后添加设备，再设置数据去向。',
    done: (name: string) => `已创建“${name}”`,
  },
  invitations: {
    title: '项目邀请',
    from: (who: string) => `${who} 邀请您加入`,
    accept: '加入',
    decline: '拒绝',
    joined: (name: string) => `已加入“${name}”`,
    declined: '已拒绝邀请',
  },
  others: {
    title: '企业的其他项目',
    lead: '您不是这些项目的成员。所有者离开企业后，企业所有者可以接管。',
    columns: { name: '项目', owner: '所有者', state: '上报', machines: '设备', people: '成员' },
    on: '开启',
    off: '关闭',
    left: '已离开企业',
    takeOver: '接管',
    takeTitle: (name: string) => `接管项目“${name}”？`,
    takeBody: '您将成为项目所有者，可以管理成员、密钥和数据去向。',
    taken: (name: string) => `您已接管“${name}”`,
  },
  parts: {
    overview: '概览',
    machines: '设备',
    people: '成员',
    settings: '设置',
  },
  page: {
    back: '全部项目',
    gone: '项目不存在，或您不是该项目的成员',
    owned: (owner: string) => `所有者：${owner}`,
  },
}
