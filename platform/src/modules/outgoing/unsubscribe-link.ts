import { createHash } from 'node:crypto'
import { alarmContacts } from '@busbar/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Brand, brandOrigin, type ConsoleOriginSource } from '../brands/index.ts'

/**
 * The recipient of a mail at an address: a person with an account, or a contact. One who is both leaves the contact's
 * owner alone.
 */
export type MailReader = { readonly email: string } & (
  | { readonly userId: number; readonly contactId?: number }
  | { readonly contactId: number }
)

/** The page on which a reader ends a kind of mails; undefined if no public address is configured. */
export type UnsubscribeUrlOf = (brand: Brand, reader: MailReader) => string | undefined

/** The context under which each kind of reader is sealed. */
const purposes = { userId: 'account.unsubscribe', contactId: 'alarm-contact.unsubscribe' } as const
const kinds = ['contactId', 'userId'] as const
const idBytes = 8
const addressBytes = 8

export function createUnsubscribeUrl(
  source: Omit<ConsoleOriginSource, 'https'>,
  box: SecretBox,
): UnsubscribeUrlOf {
  return (brand, reader) => {
    const origin = brandOrigin(source, brand)
    return origin && `${origin}${alarmContacts.linkPages.unsubscribe}${sealUnsubscribe(box, reader)}`
  }
}

/**
 * The token with which a reader ends mails. It is sealed and not stored, so that the link of a mail works as long as the
 * mail is kept; for another address of the same reader it is void. A mail program posts to the same address as a person
 * opens (RFC 8058).
 */
export function sealUnsubscribe(box: SecretBox, reader: MailReader): string {
  const id = reader.contactId ?? ('userId' in reader ? reader.userId : 0)
  const kind = reader.contactId === undefined ? 'userId' : 'contactId'
  const named = Buffer.alloc(idBytes)
  named.writeBigUInt64BE(BigInt(id))
  return box.seal(Buffer.concat([named, addressDigest(reader.email)]), purposes[kind]).toString('base64url')
}

/** The reader of a token. */
export interface Unsubscriber {
  readonly kind: (typeof kinds)[number]
  readonly id: number
  /** Whether the token was made for this address. */
  isFor(email: string): boolean
  /** The `addressDigest` of that address. */
  readonly digest: Buffer
}

/** The reader that a token names; undefined for an invalid one. */
export function openUnsubscribe(box: SecretBox, token: string): Unsubscriber | undefined {
  const sealed = Buffer.from(token, 'base64url')
  for (const kind of kinds) {
    const named = box.open(sealed, purposes[kind])
    if (named?.length === idBytes + addressBytes)
      return {
        kind,
        id: Number(named.readBigUInt64BE()),
        isFor: (email) => addressDigest(email).equals(named.subarray(idBytes)),
        digest: named.subarray(idBytes),
      }
  }
  return undefined
}

/** Tells two addresses apart, in small letters; it is kept only within something that is sealed or keyed. */
export const addressDigest = (email: string): Buffer =>
  createHash('sha256').update(email.toLowerCase()).digest().subarray(0, addressBytes)
