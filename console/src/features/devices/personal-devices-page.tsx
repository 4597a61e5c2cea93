import { type ReactNode, useEffect } from 'react'
import { rememberSpace } from '../../shared/session/space.ts'
import { MachineListPage } from './list/machine-list-page.tsx'
import { type DeviceSpace, SpaceProvider } from './space.ts'

const personal: DeviceSpace = { kind: 'personal' }

/** The personal devices. */
export function PersonalDevicesPage(): ReactNode {
  useEffect(() => rememberSpace(0, 0), [])
  return (
    <SpaceProvider value={personal}>
      <MachineListPage />
    </SpaceProvider>
  )
}
