import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { useDeviceSpace } from '../space.ts'

/** Leads to the SIM cards of the devices. */
export function SimsButton() {
  const { tabs } = useText().dataCentre
  const space = useDeviceSpace()
  const navigate = useNavigate()
  if (space.kind === 'maintained') return null
  const eid = space.kind === 'owned' ? space.eid : 0
  return (
    <Button kind="ghost" onClick={() => void navigate({ to: '/dataCenter/sims', search: { eid } })}>
      {tabs.sims}
    </Button>
  )
}
