import { createHash } from 'node:crypto'
import type { SecretBox } from '../../kernel/secret-box.ts'

const purpose = 'alarm-contact.unsubscribe'
const idBytes = 8
const addressBytes = 8

/** A contact and its address. */
interface Addressed {
  readonly contactId: number
  readonly email: string
}

/**
 * The token with which a contact leaves. It is sealed and not stored, so that the link of a mail works as long as the
 * mail is kept; for another address of the same contact it is void.
 */
export function sealUnsubscribe(box: SecretBox, { contactId, email }: Addressed): string {
  const named = Buffer.alloc(idBytes)
  named.writeBigUInt64BE(BigInt(contactId))
  return box.seal(Buffer.concat([named, digestOf(email)]), purpose).toString('base64url')
}

/** The contact of a token, and whether an address is the one it was made for; undefined for an invalid token. */
export function openUnsubscribe(
  box: SecretBox,
  token: string,
): { readonly contactId: number; isFor(email: string): boolean } | undefined {
  const named = box.open(Buffer.from(token, 'base64url'), purpose)
  if (named?.length !== idBytes + addressBytes) return undefined
  return {
    contactId: Number(named.readBigUInt64BE()),
    isFor: (email) => digestOf(email).equals(named.subarray(idBytes)),
  }
}

const digestOf = (email: string): Buffer =>
  createHash('sha256').update(email.toLowerCase()).digest().subarray(0, addressBytes)
