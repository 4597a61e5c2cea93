/** The Message-ID (RFC 5322, 3.6.4) of an e-mail, without angle brackets; its token proves that it was not invented. */
export function messageIdOf(id: number, token: string, sender: string): string {
  const domain = sender.slice(sender.lastIndexOf('@') + 1) || 'localhost'
  return `busbar.${id}.${token}@${domain}`
}

/** An e-mail of ours by its Message-ID. */
export interface QuotedMail {
  readonly id: number
  readonly token: string
}
