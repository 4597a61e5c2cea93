import type { Lang, Text } from '@busbar/contract'
import { readerOf } from '../../../reader.ts'
import { formatEmail, type OutgoingMessage } from '../../outgoing/index.ts'
import type { AccountName } from '../index.ts'
import { type CodeBrand, logoAddress } from '../verification-codes/index.ts'

/** The notices about a person's own account, so that it cannot be changed behind their back. */
export type Notice = 'passwordChanged' | 'phoneAdded' | 'phoneChanged' | 'emailAdded' | 'emailChanged'

const titles: Readonly<Record<Notice, Text>> = {
  passwordChanged: { cn: '登录密码已修改', en: 'Your password was changed' },
  phoneAdded: { cn: '已添加登录手机号', en: 'A phone number was added to your account' },
  phoneChanged: { cn: '登录手机号已更换', en: 'The phone number of your account was changed' },
  emailAdded: { cn: '已添加登录邮箱', en: 'An e-mail address was added to your account' },
  emailChanged: { cn: '登录邮箱已更换', en: 'The e-mail address of your account was changed' },
}
const accountAdvice = {
  cn: '如非本人操作，请立即修改登录密码并联系平台管理员。',
  en: 'Not you? Change your password now and contact the platform operator.',
} as const
const bodies: Readonly<Record<Notice, Readonly<Record<Lang, readonly string[]>>>> = {
  passwordChanged: {
    cn: [
      '您的登录密码已修改，其他终端已全部退出。',
      '如非本人操作，请立即通过“忘记密码”重新设置，并检查邮箱和手机是否安全。',
    ],
    en: [
      'Your password has just been changed. All other sessions have ended.',
      'Not you? Reset your password now with “Forgot password”, and make sure your e-mail and phone are secure.',
    ],
  },
  phoneAdded: {
    cn: ['您的账号已添加手机号，手机号和邮箱均可登录。', accountAdvice.cn],
    en: [
      'A phone number has just been added to your account. You can sign in with your phone number or e-mail address.',
      accountAdvice.en,
    ],
  },
  phoneChanged: {
    cn: ['您的登录手机号已更换，此后请用新的手机号登录。', accountAdvice.cn],
    en: [
      'Your sign-in phone number has just been changed. From now on, sign in with the new one.',
      accountAdvice.en,
    ],
  },
  emailAdded: {
    cn: ['您的账号已添加邮箱，手机号和邮箱均可登录。', accountAdvice.cn],
    en: [
      'An e-mail address has just been added to your account. You can sign in with your e-mail address or phone number.',
      accountAdvice.en,
    ],
  },
  emailChanged: {
    cn: ['您的登录邮箱已更换，此后请用新的邮箱登录。', accountAdvice.cn],
    en: [
      'Your sign-in e-mail address has just been changed. From now on, sign in with the new one.',
      accountAdvice.en,
    ],
  },
}

/** The notice for a person who gets this account: a change, or an addition if they had none of that kind. */
export function noticeOfChange(account: AccountName, former: Pick<Addressee, 'email' | 'phone'>): Notice {
  if ('email' in account) return former.email === null ? 'emailAdded' : 'emailChanged'
  return former.phone === null ? 'phoneAdded' : 'phoneChanged'
}

/** The receiver of a notice. */
export interface Addressee {
  readonly email: string | null
  readonly phone: string | null
  readonly country_code: string | null
  readonly lang: string
  readonly time_zone: string | null
}

/** The message about a change of a person's account: an e-mail if they have one, else an SMS. */
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
      mail: 'accountChange',
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
