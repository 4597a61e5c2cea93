import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { agentConfigQuery } from './agent-config-queries.ts'
import type { Machine } from './machine.ts'

/**
 * Leads keys, and members who manage devices, to the drivers of the device's agent. Renders nothing if the
 * agent does not allow it, or is away.
 */
export function DriversLink({
  machine,
  mayAsMember,
}: {
  machine: Pick<Machine, 'id' | 'level' | 'online'>
  mayAsMember: boolean
}) {
  const t = useText().machineEdit.menu
  const navigate = useNavigate()
  const mayLook = mayAsMember || machine.level >= machines.limitAuthority.bkey
  const { data } = useQuery({
    ...agentConfigQuery(machine.id),
    enabled: mayLook && machine.online,
    staleTime: 60_000,
    refetchInterval: false,
  })
  if (!mayLook || !data?.isAllowed) return null
  return (
    <Button
      icon="sliders"
      onClick={() => void navigate({ to: '/drivers', search: { machineId: machine.id } })}
    >
      {t.drivers}
    </Button>
  )
}
