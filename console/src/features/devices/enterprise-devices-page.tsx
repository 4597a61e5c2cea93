import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { type DeviceType, permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { NoSpace } from '../../entities/enterprise/no-space.tsx'
import { enterprisesQuery } from '../../shared/session/account-queries.ts'
import { getPreferences } from '../../shared/session/preferences.ts'
import { rememberSpace, useSpace } from '../../shared/session/space.ts'
import { MachineListPage } from './list/machine-list-page.tsx'
import { type DeviceSpace, SpaceProvider } from './space.ts'

/** An enterprise's own devices, or those it maintains, with an open one beside the list. */
export function EnterpriseDevicesPage(): ReactNode {
  const { type } = useSearch({ from: '/shell/device' })
  const space = useSpace()
  const eid = space?.eid
  useEffect(() => {
    if (eid !== undefined) rememberSpace(eid, type)
  }, [eid, type])
  const { isSuccess } = useQuery(enterprisesQuery)
  useLostSpace(isSuccess, space !== undefined)
  if (!space) return isSuccess && <NoSpace />
  // Another space is another page: nothing of the former stays.
  return <OfSpace key={`${space.eid} ${type}`} eid={space.eid} type={type} />
}

/**
 * Returns to the personal list if the remembered space is not available to this person: another person used
 * this browser, or the membership ended while they were away. It is checked once, with the first list of
 * spaces: a person who loses the membership while the page is open stays and is told.
 */
function useLostSpace(isKnown: boolean, isIn: boolean): void {
  const { eid } = useSearch({ from: '/shell/device' })
  const navigate = useNavigate()
  const isOpen = useRef(!isKnown)
  useEffect(() => {
    if (!isKnown || !isOpen.current) return
    isOpen.current = false
    if (isIn || eid === undefined || eid !== getPreferences().eid) return
    rememberSpace(0, 0)
    void navigate({ to: '/index/', replace: true })
  }, [isKnown, isIn, eid, navigate])
}

function OfSpace({ eid, type }: { eid: number; type: DeviceType }) {
  const { data: permission } = useQuery(permissionQuery(eid))
  const space = useMemo<DeviceSpace>(
    () => ({ kind: type === 1 ? 'owned' : 'maintained', eid, type, permission }),
    [eid, type, permission],
  )
  return (
    <SpaceProvider value={space}>
      <MachineListPage />
    </SpaceProvider>
  )
}
