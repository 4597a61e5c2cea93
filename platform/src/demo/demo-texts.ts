import type { enterprises as contract, Lang, MemberRight } from '@busbar/contract'

/* The texts of the demo, in one language for each of its two accounts. */

interface Colleague {
  readonly account: string
  readonly role: contract.EnterpriseRole
  readonly rights: readonly MemberRight[]
}

/** The people of an enterprise beside its owner. */
export const colleagues = [
  { account: 'chen.jing', role: 'admin', rights: [] },
  { account: 'wang.lei', role: 'member', rights: ['view', 'control', 'manage'] },
  { account: 'zhao.min', role: 'member', rights: ['view', 'maintain'] },
  { account: 'sun.hao', role: 'member', rights: ['view'] },
] as const satisfies readonly Colleague[]

/** A person whose machine the enterprise maintains, and the owner of one that asks to maintain. */
export const customerAccount = 'zhou.min'
export const serviceAccount = 'lin.feng'

type Account = (typeof colleagues)[number]['account'] | typeof customerAccount | typeof serviceAccount
/** The trades of the enterprise's own devices, with the group each is in. */
export const deviceGroups = {
  'machining-centre': 'machining',
  'cnc-lathe': 'machining',
  'screw-compressor': 'air',
} as const
type DeviceTrade = keyof typeof deviceGroups

interface DemoTexts {
  /** Of the demo account itself. */
  readonly owner: string
  readonly enterprise: string
  readonly people: Readonly<Record<Account, string>>
  readonly groups: Readonly<Record<'machining' | 'air', string>>
  readonly devices: Readonly<Record<DeviceTrade | 'water-treatment', string>>
  readonly teams: { readonly manage: string; readonly maintain: string }
  readonly service: string
  readonly reasons: { readonly check: string; readonly screw: string }
  readonly notes: { readonly visit: string; readonly bind: string }
}

export const demoTexts: Readonly<Record<Lang, DemoTexts>> = {
  cn: {
    owner: '林昭',
    enterprise: '昆山精密',
    people: {
      'chen.jing': '陈静',
      'wang.lei': '王磊',
      'zhao.min': '赵敏',
      'sun.hao': '孙浩',
      'zhou.min': '周敏',
      'lin.feng': '林峰',
    },
    groups: { machining: '机加工', air: '空压站' },
    devices: {
      'machining-centre': '五轴加工中心 03',
      'cnc-lathe': '数控车床 11',
      'screw-compressor': '螺杆空压机',
      'water-treatment': '净水站 1',
    },
    teams: { manage: '机加工班', maintain: '外勤组' },
    service: '海宁机电',
    reasons: { check: '季度检修', screw: '更换螺杆' },
    notes: { visit: '更换炉头', bind: '夜班值守' },
  },
  en: {
    owner: 'Lin Zhao',
    enterprise: 'Kunshan Works',
    people: {
      'chen.jing': 'Chen Jing',
      'wang.lei': 'Wang Lei',
      'zhao.min': 'Zhao Min',
      'sun.hao': 'Sun Hao',
      'zhou.min': 'Zhou Min',
      'lin.feng': 'Lin Feng',
    },
    groups: { machining: 'Machining', air: 'Compressed air' },
    devices: {
      'machining-centre': '5-axis centre 03',
      'cnc-lathe': 'CNC lathe 11',
      'screw-compressor': 'Screw compressor',
      'water-treatment': 'Water plant 1',
    },
    teams: { manage: 'Machining shift', maintain: 'Field service' },
    service: 'Haining Service',
    reasons: { check: 'Quarterly check', screw: 'New screw' },
    notes: { visit: 'Burner swap', bind: 'Night shift' },
  },
}

/** The e-mail of a demo person, in the language of one of the accounts. */
export const emailOf = (account: string, lang: Lang): string =>
  `${account}${lang === 'cn' ? '.cn' : ''}@busbar.local`
