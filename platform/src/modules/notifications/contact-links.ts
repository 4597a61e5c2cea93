import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Brand, BrandDirectory } from '../brands/index.ts'
import { brandOrigin, unsubscribeUrl } from './links-address.ts'
import { sealUnsubscribe } from './links-token.ts'

/** The addresses in mails to contacts, for other modules that write to them. */
export interface ContactLinks {
  /** Where people of a brand open the console; empty if no public address was set. */
  originOf(brand: Brand): string
  /** The page on which a contact leaves; every mail to a contact has its link. */
  unsubscribeOf(origin: string, contact: { readonly contactId: number; readonly email: string }): string
}

export function createContactLinks({
  brands,
  publicUrl,
  box,
}: {
  readonly brands: Pick<BrandDirectory, 'hasHost'>
  readonly publicUrl: string | undefined
  readonly box: SecretBox
}): ContactLinks {
  return {
    originOf: (brand) => brandOrigin(brand, { brands, publicUrl }),
    unsubscribeOf: (origin, contact) => unsubscribeUrl(origin, sealUnsubscribe(box, contact)),
  }
}
