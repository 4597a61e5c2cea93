import { useQuery } from '@tanstack/react-query'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

/** Whether the caller sets notifications of a space: their own always, an enterprise's with the right for SMS. */
export function useMaySet({ asked: { eid } }: PageSpace): boolean {
  const permission = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  return eid === undefined || permission.data?.rights.includes('sms') === true
}
