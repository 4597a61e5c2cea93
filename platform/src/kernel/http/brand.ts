import type { BrandFields, Text } from '@busbar/contract'

/** The product's name and face on its hosts. Empty texts mean the console's own. */
export interface Brand {
  readonly id: number
  /** Unknown hosts get this one. */
  readonly isDefault: boolean
  /** Lower case, without ports. */
  readonly hosts: readonly string[]
  readonly platformName: Text
  /** Paths on any of its hosts: `/uploads/….svg`. */
  readonly logoUrl: string
  readonly logoDarkUrl: string
  readonly loginImageUrl: string
  readonly faviconUrl: string
  /** `#rrggbb` */
  readonly accent: string
  /** The address e-mails come from; empty: the deployment's. */
  readonly emailSender: string
  /** Without its brackets. */
  readonly smsSignature: string
  readonly versions: BrandFields['versions']
  readonly downloads: BrandFields['downloads']
  readonly icp: string
  /** Where machines' pages are for people on this brand's hosts; empty: VISIT_HOST. */
  readonly visitDomain: string
  /** Its hosts show the default brand since then; null: it is in use. */
  readonly archivedAt: Date | null
}
