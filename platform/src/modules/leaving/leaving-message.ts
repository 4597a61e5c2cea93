import { formatTime, readerOf } from '../../reader.ts'
import { type CodeBrand, logoAddress } from '../accounts/verification-codes/index.ts'
import { formatEmail, type OutgoingMessage } from '../outgoing/index.ts'
import type { Leaver } from './leaving-store.ts'

const personTexts = {
  cn: {
    title: '账号即将注销',
    subject: (brand: string) => `${brand}：账号即将注销`,
    paragraphs: (until: string) => [
      `您的账号将于 ${until} 注销，届时您的个人信息会被删除，您的设备将没有所有者。`,
      '在此之前登录即可撤销注销。如非本人操作，请立即登录并修改登录密码。',
    ],
  },
  en: {
    title: 'Your account will be deleted',
    subject: (brand: string) => `${brand}: your account will be deleted`,
    paragraphs: (until: string) => [
      `Your account will be deleted on ${until}. Your personal data will be erased, and your devices will have no owner.`,
      'Sign in before then to cancel the deletion. Not you? Sign in now and change your password.',
    ],
  },
} as const

/** An enterprise's deletion, in the notices to its owners. */
export interface SpaceDeletion {
  readonly enterprise: string
  /** The person who requested it. */
  readonly person: string
  readonly until: Date
  /** The receiver of the devices; undefined: they become unowned. */
  readonly receiver: string | undefined
}

const spaceTexts = {
  cn: {
    title: '企业即将注销',
    subject: (brand: string) => `${brand}：企业即将注销`,
    paragraphs: ({ enterprise, person, receiver }: SpaceDeletion, until: string) => [
      `${person} 申请注销企业“${enterprise}”。该企业将于 ${until} 注销，届时${receiver === undefined ? '其设备将没有所有者' : `其设备移交给“${receiver}”`}；成员的权限现已停用。`,
      '在此之前，任何一位所有者都可以登录控制台撤销注销。',
    ],
  },
  en: {
    title: 'Your enterprise will be deleted',
    subject: (brand: string) => `${brand}: your enterprise will be deleted`,
    paragraphs: ({ enterprise, person, receiver }: SpaceDeletion, until: string) => [
      `${person} asked to delete the enterprise “${enterprise}”. It will be deleted on ${until}, and its devices ${receiver === undefined ? 'will have no owner' : `will be handed over to “${receiver}”`}. The permissions of its members are suspended now.`,
      'Until then, any owner can cancel the deletion in the console.',
    ],
  },
} as const

/** The last message a person gets: until when their deletion can be taken back. */
export function formatDeletion(to: Leaver, until: Date, from: Sender): OutgoingMessage | undefined {
  const reader = readerOf(to)
  const t = personTexts[reader.lang]
  return format(to, 'accountDeletion', { ...t, paragraphs: t.paragraphs(formatTime(until, reader)) }, from)
}

/** The message to each owner of an enterprise that is to be deleted. */
export function formatSpaceDeletion(
  to: Leaver,
  told: SpaceDeletion,
  from: Sender,
): OutgoingMessage | undefined {
  const reader = readerOf(to)
  const t = spaceTexts[reader.lang]
  const paragraphs = t.paragraphs(told, formatTime(told.until, reader))
  return format(to, 'enterpriseDeletion', { ...t, paragraphs }, from)
}

interface Sender {
  readonly brand: CodeBrand
  readonly publicUrl: string | undefined
}

interface Words {
  readonly title: string
  readonly subject: (brand: string) => string
  readonly paragraphs: readonly string[]
}

function format(
  to: Leaver,
  mail: 'accountDeletion' | 'enterpriseDeletion',
  { title, subject, paragraphs }: Words,
  { brand, publicUrl }: Sender,
): OutgoingMessage | undefined {
  const { lang } = readerOf(to)
  const brandName = brand.platformName[lang]
  if (to.email) {
    const logoUrl = logoAddress(brand.logoUrl, publicUrl)
    const content = formatEmail({ lang, brandName, logoUrl, accent: brand.accent, title, paragraphs })
    const common = { kind: 'email', mail, to: to.email, brandId: brand.id, lang } as const
    return { ...common, subject: subject(brandName), ...content }
  }
  if (!to.phone || !to.country_code) return undefined
  const text = lang === 'cn' ? paragraphs.join('') : `${brandName}: ${paragraphs.join(' ')}`
  return { kind: 'sms', countryCode: to.country_code, phone: to.phone, text, brandId: brand.id }
}
