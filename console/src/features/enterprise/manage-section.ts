import type { Permission } from '../../entities/enterprise/enterprise-queries.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'

/** What every section of the page "manage" is given. */
export interface SectionProps {
  readonly space: Enterprise
  readonly permission: Permission
}
