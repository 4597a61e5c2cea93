import { formatTime, readerOf } from '../../reader.ts'
import { type CodeBrand, logoAddress } from '../codes/index.ts'
import { formatEmail, type OutgoingMessage } from '../outgoing/index.ts'
import type { Leaver } from './leaving-store.ts'

const texts = {
  cn: {
    title: '账号即将注销',
    subject: (brand: string) => `${brand}：账号即将注销`,
    paragraphs: (until: string) => [
      `您的账号将于 ${until} 注销，届时您的个人信息会被删除，您的设备将不再属于任何人。`,
      '在此之前登录即可撤销注销。如非本人操作，请立即登录并修改登录密码。',
    ],
  },
  en: {
    title: 'Your account will be deleted',
    subject: (brand: string) => `${brand}: your account will be deleted`,
    paragraphs: (until: string) => [
      `Your account will be deleted on ${until}. Your personal data is erased then, and your machines belong to nobody.`,
      'Sign in before that to take it back. If it was not you, sign in now and change your password.',
    ],
  },
} as const

/** The last message a person gets: until when their deletion can be taken back. */
export function formatDeletion(
  to: Leaver,
  until: Date,
  from: { readonly brand: CodeBrand; readonly publicUrl: string | undefined },
): OutgoingMessage | undefined {
  const reader = readerOf(to)
  const { lang } = reader
  const { brand } = from
  const brandName = brand.platformName[lang]
  const t = texts[lang]
  const paragraphs = t.paragraphs(formatTime(until, reader))
  if (to.email) {
    const content = formatEmail({
      lang,
      brandName,
      logoUrl: logoAddress(brand.logoUrl, from.publicUrl),
      accent: brand.accent,
      title: t.title,
      paragraphs,
    })
    return { kind: 'email', to: to.email, subject: t.subject(brandName), brandId: brand.id, lang, ...content }
  }
  if (!to.phone || !to.country_code) return undefined
  const text = lang === 'cn' ? paragraphs.join('') : `${brandName}: ${paragraphs.join(' ')}`
  return { kind: 'sms', countryCode: to.country_code, phone: to.phone, text, brandId: brand.id }
}
