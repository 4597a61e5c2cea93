import type { Lang } from '@busbar/contract'
import type { Brand } from '../brands/index.ts'
import { formatEmail, type MailReader, type OutgoingMessage, plainName } from '../outgoing/index.ts'

/** The first mail to a contact. */
export interface ContactRequest {
  /** With a `userId`: a person with an account, whom a report asks. */
  readonly to: MailReader
  readonly name: string
  readonly lang: Lang
  /** The person or the enterprise whose contact it is to be. */
  readonly from: string
  /** The page on which the contact confirms. */
  readonly url: string
  readonly unsubscribeUrl: string | undefined
}

const reportTexts = {
  cn: {
    title: '确认接收定期报告',
    paragraphs: ({ name, from, url }: ContactRequest) => [
      `${name}，您好：${from} 希望将设备的定期报告发送至此邮箱。`,
      '如同意接收，请打开以下链接并点击确认，或登录后在消息中心的收件箱中确认：',
      url,
      '如不认识对方，请忽略此邮件，您不会收到报告。',
    ],
  },
  en: {
    title: 'Confirm that you want to receive scheduled reports',
    paragraphs: ({ name, from, url }: ContactRequest) => [
      `Hello ${name}, ${from} would like to send scheduled reports about devices to this address.`,
      'To receive them, open this link and confirm, or sign in and answer in the inbox in Messages:',
      url,
      'If you don’t know the sender, ignore this e-mail. You won’t receive any reports.',
    ],
  },
} as const

const alarmTexts = {
  cn: {
    title: '确认接收设备报警',
    paragraphs: ({ name, from, url }: ContactRequest) => [
      `${name}，您好：${from} 希望将设备报警发送至此邮箱。`,
      `如同意接收，请在 7 天内打开以下链接并点击确认：`,
      url,
      '如不认识对方，请忽略此邮件，您不会收到报警。',
    ],
  },
  en: {
    title: 'Confirm that you want to receive device alarms',
    paragraphs: ({ name, from, url }: ContactRequest) => [
      `Hello ${name}, ${from} would like to send device alarms to this address.`,
      'To receive them, open this link within 7 days and confirm:',
      url,
      'If you don’t know the sender, ignore this e-mail. You won’t receive any alarms.',
    ],
  },
} as const

/** The mail that asks a contact to confirm the address. */
export function formatContactRequest(request: ContactRequest, brand: Brand): OutgoingMessage {
  const { lang, to, unsubscribeUrl } = request
  const isOfReports = 'userId' in to
  const brandName = brand.platformName[lang]
  const { title, paragraphs } = (isOfReports ? reportTexts : alarmTexts)[lang]
  return {
    kind: 'email',
    mail: isOfReports ? 'reportRequest' : 'contactRequest',
    to,
    unsubscribeUrl,
    // Names that people chose stay out of the subject: it is read as the platform's own words.
    subject: lang === 'cn' ? `${brandName}：${title}` : `${brandName}: ${title}`,
    brandId: brand.id,
    lang,
    ...formatEmail({
      lang,
      brandName,
      accent: brand.accent || undefined,
      title,
      paragraphs: paragraphs({
        ...request,
        name: plainName(request.name),
        from: plainName(request.from),
      }),
      unsubscribeUrl,
    }),
  }
}
