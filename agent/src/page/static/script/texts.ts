import type { AlarmView, NameView, PageErrorCode } from '../../page-api.ts'

export type Lang = 'cn' | 'en'

const cn = {
  otherLanguage: 'EN English',
  toDark: '切换到深色',
  toLight: '切换到浅色',
  tabs: { values: '变量', trend: '趋势', setpoints: '设定', alarms: '报警' },
  noGroup: '其他',
  on: '开',
  off: '关',
  quality: { bad: '读取失败', uncertain: '数据存疑', stale: '数据过期', none: '等待数据' },
  noValues: '这台设备没有可显示的变量',
  connectionOffline: (name: string) => `${name} 离线`,
  connectionsOnline: (online: number, all: number) => `${online}/${all} 在线`,
  connectionUnknown: (name: string) => `${name} 未读取`,
  operating: '可操作',
  watching: '仅查看',
  controlMine: '您正在控制',
  controlElsewhere: '您正在另一个页面中控制',
  controlOf: (name: string) => `${name} 正在控制`,
  controlFree: '当前无人控制',
  visitEnds: (clock: string) => `访问 ${clock} 结束`,
  takeControl: '取得控制权',
  askControl: '请求控制权',
  controlAsked: '已请求控制权',
  watchingWhy: {
    visit: '当前为仅查看。如需修改设定，请先在上方取得或请求控制权。',
    local: '此页面已配置为仅查看。',
  },
  lost: (time: string) => `${time} 起连接中断，正在重试…`,
  connecting: '正在连接…',
  ended: '访问已结束',
  endedWhy: '访问时间已到，或访问权限已收回。如需继续，请从控制台重新进入设备。',
  tryAgain: '重试',
  noAlarms: '没有报警',
  alarmsMore: (count: number) => `另有 ${count} 条`,
  levels: { critical: '紧急', major: '重要', minor: '一般', info: '提示' } as Record<
    AlarmView['level'],
    string
  >,
  since: (time: string) => `${time} 起`,
  sinceUnknown: '采集程序启动前已发生',
  seconds: (count: number) => `${count} 秒`,
  minutes: (count: number) => `${count} 分钟`,
  hours: (count: number) => `${count} 小时`,
  days: (count: number) => `${count} 天`,
  noSetpoints: '这台设备没有可设定的变量',
  set: '设定',
  cancel: '取消',
  change: (name: string) => `更改 ${name}`,
  more: (name: string) => `增大 ${name}`,
  less: (name: string) => `减小 ${name}`,
  now: (value: string) => `当前 ${value}`,
  range: (min: string, max: string) => `${min} 至 ${max}`,
  atLeast: (min: string) => `不小于 ${min}`,
  atMost: (max: string) => `不大于 ${max}`,
  notSet: (now: string) => `尚未设定，设备当前为 ${now}`,
  writing: '正在写入…',
  kept: (value: string) => `已写入 ${value}`,
  keptOther: (value: string) => `设备未接受，仍为 ${value}`,
  notRead: '已写入，但回读失败',
  failed: '写入失败',
  changedElsewhere: (value: string) => `已在别处改为 ${value}`,
  noAnswer: '设备无响应，请核对当前值后重试',
  outside: (range: string) => `超出范围（${range}）`,
  notNumber: '请输入数字',
  notWhole: '只能输入整数',
  tooLong: (bytes: number) => `最长 ${bytes} 字节`,
  keys: { back: '退格', clear: '清除', sign: '正负号', point: '小数点' },
  trendOf: '变量',
  windows: { short: '10 分钟', long: '1 小时' },
  noTrend: '暂无记录',
  noTrendKept: '该变量不记录趋势',
  noTrendTags: '这台设备没有可显示趋势的变量',
  lowest: '最低',
  highest: '最高',
  errors: {
    notFound: '设备没有此功能',
    method: '设备拒绝了请求',
    crossSite: '请求来自其他页面，已拒绝',
    ended: '访问已结束',
    watching: '仅查看，数值未写入',
    notJson: '设备拒绝了请求',
    tooLarge: '内容过长',
    badRequest: '设备拒绝了请求',
    tooOften: '操作过于频繁，请稍后再试',
    tooMany: '同时打开的页面过多',
    unknownTag: '变量已不存在，请刷新页面',
    readOnly: '此变量只读',
    type: '数值类型不符',
    range: '超出允许范围',
    offline: '控制器离线，未写入',
    busy: '正在写入另一个值，请稍后再试',
  } as Record<PageErrorCode, string>,
}

const en: typeof cn = {
  otherLanguage: '中文',
  toDark: 'Switch to dark theme',
  toLight: 'Switch to light theme',
  tabs: { values: 'Variables', trend: 'Trend', setpoints: 'Set-points', alarms: 'Alarms' },
  noGroup: 'Other',
  on: 'On',
  off: 'Off',
  quality: { bad: 'Can’t be read', uncertain: 'Uncertain', stale: 'Out of date', none: 'Waiting' },
  noValues: 'This device has no variables to show',
  connectionOffline: (name) => `${name} offline`,
  connectionsOnline: (online, all) => `${online} of ${all} online`,
  connectionUnknown: (name) => `${name} not read yet`,
  operating: 'Can operate',
  watching: 'View only',
  controlMine: 'You are in control',
  controlElsewhere: 'You are in control on another page',
  controlOf: (name) => `${name} is in control`,
  controlFree: 'No one is in control',
  visitEnds: (clock) => `visit ends ${clock}`,
  takeControl: 'Take control',
  askControl: 'Request control',
  controlAsked: 'Control requested',
  watchingWhy: {
    visit: 'View only. To change set-points, take or request control above.',
    local: 'This page is configured as view-only.',
  },
  lost: (time) => `No connection since ${time}. Trying again…`,
  connecting: 'Connecting…',
  ended: 'The visit has ended',
  endedWhy:
    'The visit time is over, or access was revoked. To continue, enter the device again from the console.',
  tryAgain: 'Try again',
  noAlarms: 'No active alarms',
  alarmsMore: (count) => `+${count} more`,
  levels: { critical: 'Critical', major: 'Major', minor: 'Minor', info: 'Info' },
  since: (time) => `since ${time}`,
  sinceUnknown: 'since before the agent started',
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  days: (count) => `${count} d`,
  noSetpoints: 'This device has no set-points',
  set: 'Set',
  cancel: 'Cancel',
  change: (name) => `Change ${name}`,
  more: (name) => `Increase ${name}`,
  less: (name) => `Decrease ${name}`,
  now: (value) => `Now ${value}`,
  range: (min, max) => `${min} to ${max}`,
  atLeast: (min) => `At least ${min}`,
  atMost: (max) => `At most ${max}`,
  notSet: (now) => `Not set yet, the device has ${now}`,
  writing: 'Writing…',
  kept: (value) => `Device accepted ${value}`,
  keptOther: (value) => `Rejected, device kept ${value}`,
  notRead: 'Written, but the value couldn’t be read back',
  failed: 'Not written',
  changedElsewhere: (value) => `Changed elsewhere to ${value}`,
  noAnswer: 'No answer. Check the value, then try again',
  outside: (range) => `Out of range (${range})`,
  notNumber: 'Not a number',
  notWhole: 'Whole numbers only',
  tooLong: (bytes) => `At most ${bytes} bytes`,
  keys: { back: 'Backspace', clear: 'Clear', sign: 'Plus or minus', point: 'Decimal point' },
  trendOf: 'Variable',
  windows: { short: '10 min', long: '1 h' },
  noTrend: 'No records yet',
  noTrendKept: 'No trend is recorded for this variable',
  noTrendTags: 'This device has no variables with a trend',
  lowest: 'Low',
  highest: 'High',
  errors: {
    notFound: 'The device doesn’t have this function',
    method: 'The device refused the request',
    crossSite: 'Rejected: the request came from another page',
    ended: 'The visit has ended',
    watching: 'View only, the value wasn’t written',
    notJson: 'The device refused the request',
    tooLarge: 'Too long',
    badRequest: 'The device refused the request',
    tooOften: 'Too many requests, try again in a moment',
    tooMany: 'Too many pages are open',
    unknownTag: 'This variable no longer exists, reload the page',
    readOnly: 'This variable is read-only',
    type: 'The device doesn’t accept a value of this type',
    range: 'Outside the allowed range',
    offline: 'The controller is offline, the value wasn’t written',
    busy: 'Another write is in progress, try again',
  },
}

const dictionaries = { cn, en }

const languageKey = 'page.language'

let lang: Lang = startLanguage()

function startLanguage(): Lang {
  const kept = recall(languageKey)
  if (kept === 'cn' || kept === 'en') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'cn' : 'en'
}

export function language(): Lang {
  return lang
}

export function texts(): typeof cn {
  return dictionaries[lang]
}

export function switchLanguage(): void {
  lang = lang === 'cn' ? 'en' : 'cn'
  remember(languageKey, lang)
}

/** The name in this language, else any other. */
export function nameIn({ any, cn: chinese, en: english }: NameView, fallback: string): string {
  const own = lang === 'cn' ? chinese : english
  return own || any || chinese || english || fallback
}

/** Values that this browser remembers; an HMI's browser may lack storage. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It is read again the next time.
  }
}
