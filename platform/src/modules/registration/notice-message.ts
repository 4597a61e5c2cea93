import type { Lang, Text } from '@busbar/contract'
import { readerOf } from '../../reader.ts'
import { type CodeBrand, logoAddress } from '../codes/index.ts'
import { formatEmail, type OutgoingMessage } from '../outgoing/index.ts'

/** What a person is told about their own account, so that it is not done behind their back. */
export type Notice = 'passwordChanged' | 'accountChanged'

const titles: Readonly<Record<Notice, Text>> = {
  passwordChanged: { cn: '登录密码已修改', en: 'Your password was changed' },
  accountChanged: { cn: '登录账号已更换', en: 'Your account was changed' },
}
const bodies: Readonly<Record<Notice, Readonly<Record<Lang, readonly string[]>>>> = {
  passwordChanged: {
    cn: [
      '您的登录密码刚刚被修改，其他终端已全部退出。',
      '如非本人操作，请立即通过“忘记密码”重新设置，并检查邮箱和手机是否安全。',
    ],
    en: [
      'Your password has just been changed; all other terminals were signed out.',
      'If it was not you, set another at once with “Forgot password”, and see that your e-mail and phone are safe.',
    ],
  },
  accountChanged: {
    cn: [
      '您的登录手机号或邮箱刚刚被更换，此后请用新的账号登录。',
      '如非本人操作，请立即修改登录密码并联系平台管理员。',
    ],
    en: [
      'The phone or e-mail you sign in with has just been changed: use the other one from here on.',
      'If it was not you, change your password at once and tell the operator of the platform.',
    ],
  },
}

/** Whom a notice goes to. */
export interface Addressee {
  readonly email: string | null
  readonly phone: string | null
  readonly country_code: string | null
  readonly lang: string
}

/** The message that tells a person of a change of their account: an e-mail where they have one, else an SMS. */
export function formatNotice(
  notice: Notice,
  to: Addressee,
  from: { brand: CodeBrand; publicUrl: string | undefined },
): OutgoingMessage | undefined {
  const { lang } = readerOf(to)
  const { brand } = from
  const brandName = brand.platformName[lang]
  const title = titles[notice][lang]
  const paragraphs = bodies[notice][lang]
  if (to.email) {
    return {
      kind: 'email',
      to: to.email,
      subject: lang === 'cn' ? `${brandName}：${title}` : `${brandName}: ${title}`,
      brandId: brand.id,
      lang,
      ...formatEmail({
        lang,
        brandName,
        logoUrl: logoAddress(brand.logoUrl, from.publicUrl),
        accent: brand.accent,
        title,
        paragraphs,
      }),
    }
  }
  if (!to.phone || !to.country_code) return undefined
  return {
    kind: 'sms',
    countryCode: to.country_code,
    phone: to.phone,
    text: lang === 'cn' ? paragraphs.join('') : `${brandName}: ${paragraphs.join(' ')}`,
    brandId: brand.id,
  }
}
