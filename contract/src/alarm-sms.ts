import type { AlarmLevel } from './machines.ts'
import type { Lang } from './text.ts'

/** The levels in messages about alarms. */
export const alarmLevelWords: Readonly<Record<Lang, Readonly<Record<AlarmLevel, string>>>> = {
  cn: { critical: '紧急', major: '重要', minor: '一般', info: '提示' },
  en: { critical: 'Critical', major: 'Major', minor: 'Minor', info: 'Information' },
}

const machineMax = 30
const textMax = 120

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** An alarm in an SMS; value and limit with their unit, empty without one. `link`: the page to confirm it. */
export interface AlarmSmsWords {
  readonly machine: string
  readonly level: AlarmLevel
  readonly text: string
  readonly value: string
  readonly limit: string
  readonly link?: string | undefined
}

/** The SMS about an alarm, without its signature: the platform sends it, and the console shows its price. */
export function alarmSms(words: AlarmSmsWords, lang: Lang, time: string): string {
  const level = alarmLevelWords[lang][words.level]
  const [machine, text] = [cut(words.machine, machineMax), cut(words.text, textMax)]
  // A space before and nothing after the address, so that phones recognise the link.
  const confirm = words.link ? (lang === 'cn' ? `，确认： ${words.link}` : `, confirm: ${words.link}`) : ''
  if (lang === 'cn') return `【${level}】${machine}：${text}${bracketed(words, 'cn')}，${time}${confirm}`
  return `${level} alarm, ${machine}: ${text}${bracketed(words, 'en')}, ${time}${confirm}`
}

function bracketed({ value, limit }: AlarmSmsWords, lang: Lang): string {
  if (!value) return ''
  if (lang === 'cn') return limit ? `（当前 ${value}，限值 ${limit}）` : `（当前 ${value}）`
  return limit ? ` (value ${value}, limit ${limit})` : ` (value ${value})`
}
