import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { mayAdd, useDeviceSpace } from '../space.ts'

/** Leads to the registration of a controller that the platform does not know yet. */
export function ConnectButton() {
  const t = useText().machines
  const space = useDeviceSpace()
  const navigate = useNavigate()
  if (space.kind === 'maintained' || !mayAdd(space)) return null
  const search = space.kind === 'owned' ? { eid: space.eid } : {}
  return <Button onClick={() => void navigate({ to: '/connect', search })}>{t.connect}</Button>
}
