/**
 * Every kind of e-mail that the platform sends. One about the reader's own account, about what they own, or in answer to
 * what they asked for is always sent. Every other one obeys the reader's switch for e-mails and bears a link that ends
 * them with one press (rules/messages.md: kinds of mails).
 */
export const mailKinds = {
  code: { isAboutAccount: true },
  accountChange: { isAboutAccount: true },
  newTerminal: { isAboutAccount: true },
  accountDeletion: { isAboutAccount: true },
  enterpriseDeletion: { isAboutAccount: true },
  scadaAnswer: { isAboutAccount: true },
  alarmTest: { isAboutAccount: true },
  alarm: { isAboutAccount: false },
  alarmDigest: { isAboutAccount: false },
  contactRequest: { isAboutAccount: false },
  invitation: { isAboutAccount: false },
  reportRequest: { isAboutAccount: false },
  report: { isAboutAccount: false },
} as const satisfies Readonly<Record<string, { readonly isAboutAccount: boolean }>>

export type MailKind = keyof typeof mailKinds

/** The kinds that are about the reader's account. */
export type AccountMail = {
  [Kind in MailKind]: (typeof mailKinds)[Kind]['isAboutAccount'] extends true ? Kind : never
}[MailKind]

/** The kinds that a reader can end. */
export type EndableMail = Exclude<MailKind, AccountMail>
