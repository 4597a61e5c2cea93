import type { Enterprise } from '../../app/account-queries.ts'
import type { Permission } from './enterprise-queries.ts'

/** What every section of the page "manage" is given. */
export interface SectionProps {
  readonly space: Enterprise
  readonly permission: Permission
}
