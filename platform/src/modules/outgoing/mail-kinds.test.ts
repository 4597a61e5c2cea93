import { useDatabase } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { formatInvitation } from '../enterprises/invitation-email.ts'
import { formatAlarmEmail, formatDigestEmail } from '../notifications/alarm-texts.ts'
import { formatContactRequest } from '../notifications/contacts-mail.ts'
import { formatReportMail } from '../reports/report-mail.ts'
import {
  createOutgoing,
  createUnsubscribeUrl,
  type EmailMessage,
  mailKinds,
  type OutgoingMessage,
  openUnsubscribe,
} from './index.ts'
import type { AccountMail, EndableMail, MailKind } from './mail-kinds.ts'

const database = useDatabase()

const brand = {
  id: 1,
  platformName: { cn: '平台', en: 'Busbar' },
  accent: '',
  logoUrl: '',
  hosts: [],
  emailSender: 'no-reply@example.test',
  smsSignature: '',
} as never
const lang = 'en'
const reader = { lang, timeZone: 'UTC' } as const
const to = { userId: 7, email: 'reader@example.test' }
const box = createSecretBox()
const unsubscribeUrlOf = createUnsubscribeUrl(
  { brands: { hasHost: () => false }, publicUrl: 'https://busbar.test' },
  box,
)
const unsubscribeUrl = unsubscribeUrlOf(brand, to)
/** A text that somebody else than the reader chose. */
const chosen = 'Locked: http://evil.example/a@b'
const alarmFrom = {
  ...{ brand, logoUrl: undefined, machine: 'CODE1', page: undefined, confirm: undefined, unsubscribeUrl },
}

/** A mail of each kind that a reader can end, as its own module writes it. */
const samples: Readonly<Record<EndableMail, () => OutgoingMessage>> = {
  alarm: () =>
    formatAlarmEmail(
      to,
      { machine: chosen, level: 'major', text: chosen, at: new Date(0), value: '', limit: '' },
      reader,
      alarmFrom,
    ),
  alarmDigest: () =>
    formatDigestEmail(
      to,
      {
        machine: chosen,
        total: 2,
        worst: 'major',
        lines: [{ text: chosen, level: 'major', count: 2 }],
        more: 0,
      },
      reader,
      alarmFrom,
    ),
  contactRequest: () =>
    formatContactRequest(
      {
        ...{ to: { contactId: 7, email: to.email }, name: chosen, lang, from: chosen },
        ...{ url: 'https://busbar.test/contact/x', unsubscribeUrl },
      },
      brand,
    ),
  reportRequest: () =>
    formatContactRequest(
      {
        ...{ to: { ...to, contactId: 9 }, name: chosen, lang, from: chosen },
        ...{ url: 'https://busbar.test/contact/x', unsubscribeUrl },
      },
      brand,
    ),
  invitation: () =>
    formatInvitation(
      { enterprise: chosen, inviter: chosen, role: 'member' },
      { ...to, lang, time_zone: null },
      { brand, publicUrl: undefined, unsubscribeUrlOf },
    ),
  report: () =>
    formatReportMail({
      ...{ to, lang, brand, logoUrl: undefined, name: chosen, owner: chosen, period: '2026-11-27' },
      ...{ leftOut: [], attachments: [], links: null, unsubscribeUrl },
    }),
}
const kinds = Object.keys(mailKinds) as MailKind[]
const endable = Object.keys(samples) as EndableMail[]
const firsts: readonly EndableMail[] = ['contactRequest', 'reportRequest', 'invitation']

const sampleOf = (kind: EndableMail): EmailMessage => {
  const message = samples[kind]()
  if (message.kind !== 'email') throw new Error(`${kind} is no e-mail`)
  return message
}

test('each kind of mail is about the reader’s account or has a sample', () => {
  const others = kinds.filter((kind) => !mailKinds[kind].isAboutAccount)
  expect(others.toSorted()).toEqual(endable.toSorted())
})

describe.each(endable)('a mail of the kind %s', (kind) => {
  const message = sampleOf(kind)

  test('ends with one press, from its header and its text', () => {
    expect(message.mail).toBe(kind)
    expect(message.unsubscribeUrl).toMatch(/^https:\/\/busbar\.test\/unsubscribe\/[\w-]{32,64}$/)
    for (const form of [message.text, message.html]) expect(form).toContain(message.unsubscribeUrl)
    const token = message.unsubscribeUrl?.split('/').at(-1) ?? ''
    expect(openUnsubscribe(box, token)?.isFor(to.email)).toBe(true)
  })

  test('has no text in its subject that somebody else chose', () => {
    for (const word of ['Locked', 'evil', '@']) expect(message.subject).not.toContain(word)
  })
})

test.each(firsts)('the first mail of the kind %s to a stranger makes no link of a name', (kind) => {
  const { text } = sampleOf(kind)
  expect(text).toContain('Locked httpevilexampleab')
  expect(text).not.toContain('evil.example')
})

describe('the switch for e-mails', () => {
  const outgoing = (off: readonly number[]) =>
    createOutgoing({
      ...{ db: database.db, config: readConfig({}), logger: silentLogger, now: Date.now },
      ...{ jobs: { sendAll: async () => {} }, facts: { record: async () => {}, recordAll: async () => {} } },
      brandOf: () => brand,
      listMailsOff: async () => new Set(off),
    } as never)
  const storedTo = async (email: string) =>
    (await database.db.selectFrom('outgoing').select('id').where('recipient', '=', email).execute()).length

  test.each(kinds)('is obeyed by the kind %s unless it is about the account', async (kind) => {
    const email = `${kind}@example.test`
    const common = { kind: 'email', subject: 'x', text: 'x', html: 'x', brandId: 1, lang } as const
    const message: OutgoingMessage = mailKinds[kind].isAboutAccount
      ? { ...common, mail: kind as AccountMail, to: email }
      : { ...common, mail: kind as EndableMail, to: { userId: to.userId, email }, unsubscribeUrl }
    await outgoing([to.userId]).queue(database.db, message)
    expect(await storedTo(email)).toBe(mailKinds[kind].isAboutAccount ? 1 : 0)
    await outgoing([]).queue(database.db, message)
    expect(await storedTo(email)).toBe(mailKinds[kind].isAboutAccount ? 2 : 1)
  })
})
