import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSpaceMachines } from '../../entities/machine/space-machines.ts'
import { SimCard } from '../../entities/sim/sim-card.tsx'
import { simCardQuery } from '../../entities/sim/sim-queries.ts'
import { useSimsText } from '../../entities/sim/sims-text.ts'
import { type PageSpace, usePageSpace } from '../../shared/session/page-space.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { Box, Row } from '../../shared/ui/layout/layout.tsx'
import pane from '../../shared/ui/pane/pane.module.css'

const personal: PageSpace = { enterprise: undefined, asked: {} }

/** A card beside the list, under the name of its device. */
export function SimPane({ iccid, onClose }: { iccid: string; onClose: () => void }) {
  const t = useSimsText()
  const navigate = useNavigate()
  const space = usePageSpace() ?? personal
  const { data: card } = useQuery(simCardQuery({ iccid }))
  const machine = useSpaceMachines(space)?.find(({ id }) => id === card?.machineId)
  const { eid } = space.asked
  function openMachine(): void {
    if (!card) return
    const search = { machine: card.machineId }
    if (eid === undefined) void navigate({ to: '/index/', search })
    else void navigate({ to: '/device/', search: { type: 1, eid, ...search } })
  }
  return (
    <>
      <div className={pane.head}>
        <Box grows className={pane.titles}>
          <h2 className={`${pane.title} cut`}>{machine?.name ?? t.card}</h2>
          <Box above={2}>
            <CopyCode code={iccid} />
          </Box>
        </Box>
        <Row align="stretch" fixed>
          <IconButton icon="close" label={t.close} onClick={onClose} aria-keyshortcuts="Escape" />
        </Row>
      </div>
      {card && (
        <Row gap={8} fixed className={pane.actions}>
          <Button icon="devices" onClick={openMachine}>
            {t.openDevice}
          </Button>
        </Row>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the keyboard */}
      <section className={pane.content} tabIndex={0} aria-label={t.card}>
        <SimCard asked={{ iccid }} />
      </section>
    </>
  )
}
