import type { Lang } from '@busbar/contract'
import type { Brand } from '../brands/index.ts'
import { type Attachment, type EmailMessage, formatEmail, type MailReader } from '../outgoing/index.ts'

/** A mail that brings a report. */
export interface ReportMail {
  readonly to: MailReader
  readonly lang: Lang
  readonly brand: Brand
  readonly logoUrl: string | undefined
  readonly name: string
  readonly owner: string
  /** In the form of the report. */
  readonly period: string
  readonly leftOut: readonly string[]
  readonly attachments: readonly Attachment[]
  /** Where files that are too large are downloaded; null: only the report's owner can. */
  readonly links: readonly string[] | null
  readonly unsubscribeUrl: string | undefined
}

const texts = {
  cn: {
    subject: (period: string) => `定期报告（${period}）`,
    attached: (owner: string, period: string) => `${owner} 的定期报告，统计时段 ${period}，见附件。`,
    linked: '报告文件过大，无法作为附件发送，请登录后通过以下链接下载：',
    tooLarge: (owner: string) => `报告文件过大，无法作为附件发送，请向 ${owner} 索取。`,
    leftOut: '报告未包含以下内容：',
  },
  en: {
    subject: (period: string) => `Scheduled report (${period})`,
    attached: (owner: string, period: string) =>
      `The scheduled report of ${owner} for ${period} is attached.`,
    linked: 'The report is too large for an e-mail. Sign in and download it here:',
    tooLarge: (owner: string) => `The report is too large for an e-mail. Ask ${owner} for it.`,
    leftOut: 'The report doesn’t include:',
  },
} as const

/** The mail of a report, with its files or with the way to them. */
export function formatReportMail(mail: ReportMail): EmailMessage {
  const { lang, brand, name, owner, period, links, leftOut, unsubscribeUrl } = mail
  const words = texts[lang]
  const brandName = brand.platformName[lang]
  const isAttached = mail.attachments.length > 0
  const way = isAttached
    ? [words.attached(owner, period)]
    : links
      ? [words.linked, ...links]
      : [words.tooLarge(owner)]
  return {
    kind: 'email',
    mail: 'report',
    to: mail.to,
    unsubscribeUrl,
    // Names that people chose stay out of the subject: it is read as the platform's own words.
    subject: `${brandName}${lang === 'cn' ? '：' : ': '}${words.subject(period)}`,
    brandId: brand.id,
    lang,
    attachments: mail.attachments,
    ...formatEmail({
      lang,
      brandName,
      logoUrl: mail.logoUrl,
      accent: brand.accent || undefined,
      title: name,
      paragraphs: [
        ...way,
        ...(leftOut.length > 0 ? [`${words.leftOut} ${leftOut.join(lang === 'cn' ? '；' : '; ')}`] : []),
      ],
      unsubscribeUrl,
    }),
  }
}
