import { alarmContacts } from '@busbar/contract'
import { findPublicOrigin } from '../accounts/index.ts'
import type { Brand, BrandDirectory } from '../brands/index.ts'

const { linkPages } = alarmContacts

/** Where people of a brand open the console: on its first host; empty if no public address was set. */
export function brandOrigin(
  brand: Brand,
  source: { readonly brands: Pick<BrandDirectory, 'hasHost'>; readonly publicUrl: string | undefined },
): string {
  return findPublicOrigin(source, brand.hosts[0] ?? '') ?? ''
}

/** The page on which a contact confirms the address. */
export const confirmContactUrl = (origin: string, token: string): string =>
  `${origin}${linkPages.confirmContact}${token}`

/** The page that shows an alarm, with a button that confirms it. */
export const alarmLinkUrl = (origin: string, token: string): string => `${origin}${linkPages.alarm}${token}`

/** The page on which a contact leaves; a mail program posts to the same address (RFC 8058). */
export const unsubscribeUrl = (origin: string, token: string): string =>
  `${origin}${linkPages.unsubscribe}${token}`
