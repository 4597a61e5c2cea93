import type { Permission } from '../../entities/enterprise/enterprise-queries.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'

/** The properties of every section of the page "manage". */
export interface SectionProps {
  readonly space: Enterprise
  readonly permission: Permission
}
