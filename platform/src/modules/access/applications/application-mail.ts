import type { AuditNews, Letter } from '../../messages/index.ts'

/** Messages about a machine's applications, as `RightsChange.mail` takes them. */
export interface ApplicationMail {
  readonly letters: Omit<Letter, 'machineId'>[]
  readonly news: Omit<AuditNews, 'machineId' | 'machineCode'>[]
}

/** The same as the mailbox takes it, with the machine it is about. */
export function mailAbout(
  about: { readonly machineId: number; readonly machineCode: string },
  { letters, news }: { [Part in keyof ApplicationMail]: Readonly<ApplicationMail[Part]> },
): { letters: Letter[]; news: AuditNews[] } {
  const { machineId } = about
  return {
    letters: letters.map((letter) => ({ ...letter, machineId })),
    news: news.map((each) => ({ ...each, ...about })),
  }
}
