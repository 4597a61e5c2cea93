import { useNavigate } from '@tanstack/react-router'
import { SimCard } from '../../../entities/sim/sim-card.tsx'
import { useSimsText } from '../../../entities/sim/sims-text.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Box } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'

/** The SIM card of a machine, with the way to all of them. */
export function SimTab({ machineCode }: { machineCode: string }) {
  const t = useSimsText()
  const space = useDeviceSpace()
  const navigate = useNavigate()
  const eid = space.kind === 'personal' ? 0 : space.eid
  return (
    <SimCard asked={{ machineCode }}>
      <Box pad="12 16">
        <Button kind="ghost" onClick={() => void navigate({ to: '/dataCenter/sims', search: { eid } })}>
          {t.all}
        </Button>
      </Box>
    </SimCard>
  )
}
