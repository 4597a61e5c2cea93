import type { codes as contract, Lang, Text } from '@busbar/contract'
import type { Brand } from '../../brands/index.ts'
import { formatEmail, type OutgoingMessage } from '../../outgoing/index.ts'
import type { AccountName } from '../index.ts'
import { codeLimits } from './code-limits.ts'

/** The brand a code is sent in the name of. */
export type CodeBrand = Pick<Brand, 'id' | 'platformName' | 'accent' | 'logoUrl'>

const minutes = codeLimits.lifeMs / 60_000

/** The purpose of the code, as part of a sentence. */
const purposes: Readonly<Record<contract.CodePurpose, Text>> = {
  register: { cn: '注册账号', en: 'to register' },
  login: { cn: '登录', en: 'to sign in' },
  resetPassword: { cn: '重置登录密码', en: 'to reset your password' },
  changeAccount: { cn: '绑定新的账号', en: 'to confirm your new account' },
  twoFactor: { cn: '两步验证', en: 'to change two-factor authentication' },
  deleteAccount: { cn: '注销账号', en: 'to delete your account' },
  deleteEnterprise: { cn: '注销企业', en: 'to delete the enterprise' },
}

interface Sentences {
  readonly sms: (code: string, purpose: string, brand: string) => string
  readonly subject: (brand: string) => string
  readonly title: string
  readonly lead: (purpose: string) => string
  readonly rest: readonly string[]
}

const sentences: Readonly<Record<Lang, Sentences>> = {
  cn: {
    sms: (code, purpose) =>
      `您的验证码是 ${code}，用于${purpose}，${minutes} 分钟内有效。请勿告诉他人；如非本人操作，请忽略。`,
    subject: (brand) => `${brand}验证码`,
    title: '您的验证码',
    lead: (purpose) => `您正在${purpose}，请在页面中输入以下验证码：`,
    rest: [
      `验证码 ${minutes} 分钟内有效，只能使用一次，不区分大小写。`,
      '请勿把验证码告诉任何人。如非本人操作，请忽略此邮件。',
    ],
  },
  en: {
    sms: (code, purpose, brand) =>
      `${brand}: ${code} is your code ${purpose}. Valid for ${minutes} minutes. Keep it secret.`,
    subject: (brand) => `Your ${brand} code`,
    title: 'Your code',
    lead: (purpose) => `Enter this code ${purpose}:`,
    rest: [
      `The code is valid for ${minutes} minutes and can be used once. Codes aren’t case-sensitive.`,
      'Keep the code secret. If you didn’t request it, ignore this e-mail.',
    ],
  },
}

/** The message that brings a code to an account, in the brand's name; `publicUrl` makes its logo an address. */
export function formatCodeMessage(
  account: AccountName,
  code: string,
  from: {
    purpose: contract.CodePurpose
    lang: Lang
    brand: CodeBrand
    publicUrl: string | undefined
  },
): OutgoingMessage {
  const { lang, brand } = from
  const texts = sentences[lang]
  const purpose = purposes[from.purpose][lang]
  const brandName = brand.platformName[lang]
  if (!('email' in account)) {
    const text = texts.sms(code, purpose, brandName)
    return { kind: 'sms', ...account, text, params: { code }, purpose: 'code', lang, brandId: brand.id }
  }
  const content = formatEmail({
    lang,
    brandName,
    logoUrl: logoAddress(brand.logoUrl, from.publicUrl),
    accent: brand.accent,
    title: texts.title,
    paragraphs: [texts.lead(purpose), ...texts.rest],
    code,
  })
  return {
    kind: 'email',
    mail: 'code',
    to: account.email,
    subject: texts.subject(brandName),
    ...content,
    brandId: brand.id,
    lang,
  }
}

/** Mail programs draw no SVG. */
export function logoAddress(logoUrl: string, publicUrl: string | undefined): string | undefined {
  return publicUrl && /\.(?:png|jpg)$/.test(logoUrl) ? new URL(logoUrl, publicUrl).href : undefined
}
