import { formatTime, readerOf } from '../../reader.ts'
import type { Brand } from '../brands/index.ts'
import { findPlace } from '../geo-ip/index.ts'
import { formatEmail, type Outgoing } from '../outgoing/index.ts'
import type { Db } from './accounts-store.ts'

/** A terminal that a person signed in on. */
export interface SeenTerminal {
  readonly name: string
  readonly address: string
  readonly at: Date
}

/** The receiver of a notice, and the way to reach them. */
export interface Addressee {
  readonly email: string | null
  readonly phone: string | null
  readonly country_code: string | null
  readonly lang: string
  readonly time_zone: string | null
}

const texts = {
  cn: {
    title: '新终端登录提醒',
    what: (name: string, place: string, at: string) =>
      `您的账号于 ${at} 在新终端“${name}”登录，来自 ${place}。`,
    advice: '如非本人操作，请立即修改密码，并在安全中心退出该终端。',
  },
  en: {
    title: 'New sign-in to your account',
    what: (name: string, place: string, at: string) =>
      `Your account was used to sign in on “${name}” from ${place}, ${at}.`,
    advice: 'Not you? Change your password now and end that session in Security.',
  },
} as const

/** Queues a notice of a terminal never used before: an e-mail where there is an address, else an SMS. */
export async function notifyOfNewTerminal(
  outgoing: Pick<Outgoing, 'queue'>,
  trx: Db,
  to: Addressee,
  terminal: SeenTerminal,
  brand: Brand,
): Promise<void> {
  const reader = readerOf(to)
  const { lang } = reader
  const t = texts[lang]
  const place = [findPlace(terminal.address, lang), terminal.address].filter(Boolean).join(' · ')
  // A terminal chooses its own name, so line breaks and characters that turn the direction of text are removed.
  const name = terminal.name.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  const what = t.what(name, place, formatTime(terminal.at, reader))
  if (to.email) {
    const { text, html } = formatEmail({
      lang,
      brandName: brand.platformName[lang],
      accent: brand.accent || undefined,
      title: t.title,
      paragraphs: [what, t.advice],
    })
    await outgoing.queue(trx, {
      kind: 'email',
      mail: 'newTerminal',
      to: to.email,
      subject: t.title,
      text,
      html,
      brandId: brand.id,
      lang,
    })
  } else if (to.phone && to.country_code) {
    await outgoing.queue(trx, {
      kind: 'sms',
      countryCode: to.country_code,
      phone: to.phone,
      text: `${what}${lang === 'en' ? ' ' : ''}${t.advice}`,
      brandId: brand.id,
    })
  }
}
