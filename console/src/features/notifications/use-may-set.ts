import { useQuery } from '@tanstack/react-query'
import type { AlarmSpace } from '../../entities/alarm/alarm-space.ts'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'

/** Whether the caller sets notifications of a space: their own always, an enterprise's with the right for SMS. */
export function useMaySet({ asked: { eid } }: AlarmSpace): boolean {
  const permission = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  return eid === undefined || permission.data?.rights.includes('sms') === true
}
