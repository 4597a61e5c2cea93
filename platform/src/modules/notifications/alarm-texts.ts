import { alarmLevelWords, alarmSms, type Lang, type machines } from '@busbar/contract'
import { dateFormat } from '../../kernel/date-format.ts'
import { formatTime, type Reader } from '../../reader.ts'
import type { Brand } from '../brands/index.ts'
import { type EmailMessage, formatEmail, type MailReader } from '../outgoing/index.ts'

/** An alarm in the words of its recipient. */
export interface AlarmWords {
  readonly machine: string
  readonly level: machines.AlarmLevel
  readonly text: string
  readonly at: Date
  /** With its unit; empty: the machine gave none. */
  readonly value: string
  readonly limit: string
  /** In an SMS: the page on which the recipient confirms the alarm. */
  readonly link?: string | undefined
}

/** Alarms of one machine that go in one message. */
export interface DigestWords {
  readonly machine: string
  readonly total: number
  readonly worst: machines.AlarmLevel
  /** The worst first, equal texts counted; the rest is only a number. */
  readonly lines: readonly {
    readonly text: string
    readonly level: machines.AlarmLevel
    readonly count: number
  }[]
  /** Number of alarms without a line. */
  readonly more: number
}

const levels = alarmLevelWords

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** The time of an SMS: the day and the minute are enough. */
const shortTime = (at: Date, { lang, timeZone }: Reader) =>
  dateFormat(lang === 'cn' ? 'zh-CN' : 'en-GB', {
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(at)

/** The text that a page speaks and shows: several devices may have the same alarm, so it begins with the device. */
export function formatAlarmFrame({ machine, text }: AlarmWords, { lang }: Reader): string {
  return lang === 'cn' ? `${machine}：${text}` : `${machine}: ${text}`
}

/** The SMS about an alarm. */
export function formatAlarmSms(words: AlarmWords, reader: Reader): string {
  return alarmSms(words, reader.lang, shortTime(words.at, reader))
}

/** The SMS about several alarms of a machine. */
export function formatDigestSms(
  { machine, total, worst, lines, more }: DigestWords,
  { lang }: Reader,
): string {
  const level = levels[lang][worst]
  const [first] = lines
  const text = cut(first?.text ?? '', 60)
  const rest = more + lines.slice(1).reduce((sum, { count }) => sum + count, 0)
  if (lang === 'cn')
    return `${cut(machine, 30)}：${total} 条报警，最高级别${level}：${text}${rest > 0 ? `，另有 ${rest} 条` : ''}`
  return `${cut(machine, 30)}: ${countOf(total)}, highest level ${level}: ${text}${rest > 0 ? `, and ${rest} more` : ''}`
}

const countOf = (alarms: number): string => (alarms === 1 ? '1 alarm' : `${alarms} alarms`)

/** Why the mail comes after its alarms. */
function leadOf(total: number, worst: machines.AlarmLevel, lang: Lang): string {
  const level = levels[lang][worst]
  if (total === 1)
    return lang === 'cn'
      ? `级别：${level}。此报警紧随前一条报警发生，为避免频繁打扰，延后发送：`
      : `Level: ${level}. This alarm came soon after another one, so it was sent later:`
  return lang === 'cn'
    ? `最高级别：${level}。为避免频繁打扰，以下报警合并为一封邮件：`
    : `Highest level: ${level}. These alarms came close together, so they are in one message:`
}

interface MailFrom {
  readonly brand: Brand
  readonly logoUrl: string | undefined
  /** The machine in the subject: a name of the reader's own, or its code. */
  readonly machine: string
  /** The alarm's page, or the list of the machine's alarms; undefined if the platform has no configured address. */
  readonly page: string | undefined
  /** The page on which the recipient confirms the alarm. */
  readonly confirm: string | undefined
  readonly unsubscribeUrl: string | undefined
}

function mailOf(
  to: MailReader,
  { lang }: Reader,
  { brand, logoUrl, page, confirm, unsubscribeUrl }: MailFrom,
  {
    mail,
    title,
    paragraphs,
  }: {
    readonly mail: 'alarm' | 'alarmDigest'
    readonly title: string
    readonly paragraphs: readonly string[]
  },
): EmailMessage {
  const brandName = brand.platformName[lang]
  const addresses = [
    ...(page ? [lang === 'cn' ? `查看详情：${page}` : `Details: ${page}`] : []),
    ...(confirm ? [lang === 'cn' ? `确认报警：${confirm}` : `Acknowledge: ${confirm}`] : []),
  ]
  return {
    kind: 'email',
    mail,
    to,
    unsubscribeUrl,
    subject: lang === 'cn' ? `${brandName}：${title}` : `${brandName}: ${title}`,
    brandId: brand.id,
    lang,
    ...formatEmail({
      lang,
      brandName,
      logoUrl,
      accent: brand.accent,
      title,
      paragraphs: [...paragraphs, ...addresses],
      unsubscribeUrl,
    }),
  }
}

/** The e-mail about an alarm. */
export function formatAlarmEmail(
  to: MailReader,
  words: AlarmWords,
  reader: Reader,
  from: MailFrom,
): EmailMessage {
  const { lang } = reader
  const level = levels[lang][words.level]
  const machine = cut(from.machine, 40)
  const time = formatTime(words.at, reader)
  const title = lang === 'cn' ? `${machine}${level}报警` : `${level} alarm of ${machine}`
  const colon = lang === 'cn' ? '：' : ': '
  const line = (cn: string, en: string, value: string) =>
    value ? [`${lang === 'cn' ? cn : en}${colon}${value}`] : []
  return mailOf(to, reader, from, {
    mail: 'alarm',
    title,
    paragraphs: [
      words.text,
      ...line('设备', 'Device', words.machine),
      ...line('级别', 'Level', level),
      ...line('当前值', 'Value', words.value),
      ...line('限值', 'Limit', words.limit),
      ...line('发生时间', 'Raised', time),
    ],
  })
}

/** The e-mail about several alarms of a machine. */
export function formatDigestEmail(
  to: MailReader,
  words: DigestWords,
  reader: Reader,
  from: MailFrom,
): EmailMessage {
  const { lang } = reader
  const { total, worst, lines, more } = words
  const machine = cut(from.machine, 40)
  const title = lang === 'cn' ? `${machine}：${total} 条报警` : `${countOf(total)} of ${machine}`
  const lead = leadOf(total, worst, lang)
  const listed = lines.map(({ text, level, count }) =>
    lang === 'cn'
      ? `【${levels.cn[level]}】${text}${count > 1 ? ` × ${count}` : ''}`
      : `${levels.en[level]}: ${text}${count > 1 ? ` × ${count}` : ''}`,
  )
  const rest = more === 0 ? [] : [lang === 'cn' ? `另有 ${more} 条。` : `And ${more} more.`]
  const device = `${lang === 'cn' ? '设备：' : 'Device: '}${words.machine}`
  return mailOf(to, reader, from, {
    mail: 'alarmDigest',
    title,
    paragraphs: [lead, device, ...listed, ...rest],
  })
}
