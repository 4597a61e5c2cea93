import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../shared/i18n/index.ts'
import { roleQuery } from '../access/access-queries.ts'
import { applyWish } from './apply-wish.ts'

/** Asks the keys for read-write from within a visit that may only watch; undefined if that is not possible. */
export function useAskRw({ machineId, machineName }: { machineId: number; machineName: string }) {
  const t = useText().applications.apply
  const { data: role } = useQuery(roleQuery(machineId))
  if (!role?.readOnly || role.level !== machines.limitAuthority.visitor) return undefined
  return {
    label: t.rw,
    run: () => applyWish.set({ machineId, machineName, byPassword: false, kind: 'visit', onlyRw: true }),
  }
}
