import type { BrandFields } from '@busbar/contract'

/**
 * The brand of localhost, and of every deployment that has set up no other; a migration makes it (rules/brands.md:
 * brand of a host).
 */
export const mainBrandId = 1

/** The newest and the oldest version of a client that may still be used. */
export type ClientVersions = BrandFields['versions'][keyof BrandFields['versions']]

/** The hosts of a brand. */
export interface BrandSite {
  /** The domain of its visits; empty: VISIT_HOST. */
  readonly visitDomain: string
  /** The hosts of its console; empty for an archived brand, whose visit domain still belongs to machines. */
  readonly consoleHosts: readonly string[]
}
