import * as declared from '../nouns.ts'
import type { Route } from '../route.ts'
import type { Text } from '../text.ts'

/** The groups of the API reference, in its order. A noun without a name does not compile. */
const groupNames: Readonly<Record<keyof typeof declared, Text>> = {
  accounts: { cn: '账号与会话', en: 'Accounts and sessions' },
  registration: { cn: '注册与找回密码', en: 'Registration and recovery' },
  codes: { cn: '验证码', en: 'Codes' },
  machines: { cn: '设备', en: 'Devices' },
  places: { cn: '位置', en: 'Places' },
  sites: { cn: '厂区与平面图', en: 'Sites and plans' },
  map: { cn: '设备地图', en: 'Map of devices' },
  sims: { cn: '物联网卡', en: 'SIM cards' },
  tiles: { cn: '地图', en: 'Maps' },
  tagSettings: { cn: '变量设置', en: 'Variable settings' },
  telemetry: { cn: '数据', en: 'Values and history' },
  onboarding: { cn: '自助登记', en: 'Self-registration' },
  downloads: { cn: '程序下载', en: 'Downloads' },
  agentConfig: { cn: '采集程序配置', en: 'Agent configuration' },
  checks: { cn: '诊断与采集程序日志', en: 'Checks and agent logs' },
  boards: { cn: '看板', en: 'Boards' },
  views: { cn: '分析视图', en: 'Saved views' },
  annotations: { cn: '历史数据的标注', en: 'Notes on history' },
  exports: { cn: '导出', en: 'Exports' },
  reports: { cn: '定期报告', en: 'Scheduled reports' },
  projects: { cn: '项目', en: 'Projects' },
  destinations: { cn: '数据去向', en: 'Destinations' },
  projectData: { cn: '项目数据与嵌入', en: 'Project data and embedding' },
  retention: { cn: '数据保留', en: 'Data retention' },
  alarmContacts: { cn: '邮件接收人与升级通知', en: 'E-mail recipients and escalation' },
  alarmRules: { cn: '报警规则', en: 'Alarm rules' },
  access: { cn: '钥匙与访客', en: 'Keys and visitors' },
  applications: { cn: '申请', en: 'Requests' },
  alarms: { cn: '报警', en: 'Alarms' },
  visits: { cn: '访问与控制', en: 'Visits and control' },
  messages: { cn: '消息', en: 'Messages' },
  enterprises: { cn: '企业', en: 'Enterprises' },
  notifications: { cn: '报警通知', en: 'Alarm notifications' },
  smsStock: { cn: '短信余量', en: 'SMS balance' },
  mailBounces: { cn: '退信', en: 'Bounced e-mails' },
  brands: { cn: '品牌', en: 'Brands' },
  scada: { cn: 'SCADA 申请', en: 'SCADA requests' },
  ingest: { cn: '数据上传', en: 'Value upload' },
  operator: { cn: '后台管理', en: 'Back office' },
  health: { cn: '平台', en: 'Platform' },
}

const nounOf = new Map<unknown, keyof typeof declared>(
  Object.entries(declared).flatMap(([noun, routes]) =>
    Object.values(routes).map((route): [unknown, keyof typeof declared] => [
      route,
      noun as keyof typeof declared,
    ]),
  ),
)

/** The group of a call. */
export function groupOf(route: Route): Text {
  return groupNames[nounOf.get(route) ?? 'health']
}

/** Routes by group, those of a group as they were declared. */
export function inGroups(routes: readonly Route[]): Route[] {
  const order = Object.keys(groupNames)
  const placeOf = (route: Route) => order.indexOf(nounOf.get(route) ?? 'health')
  return routes.toSorted((a, b) => placeOf(a) - placeOf(b))
}
