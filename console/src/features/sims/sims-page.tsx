import { iccidPattern } from '@busbar/contract'
import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { useSimsText } from '../../entities/sim/sims-text.ts'
import { ErrorFence } from '../../shared/ui/error-fence.tsx'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { PaneFrame } from '../../shared/ui/pane/pane-frame.tsx'
import { SimPane } from './sim-pane.tsx'
import { SimsList } from './sims-list.tsx'
import { useSimsSearch } from './use-sims-search.ts'

/** The SIM cards of a space, and one of them beside the list. */
export function SimsPage(): ReactNode {
  const layout = useLayoutKind()
  const t = useSimsText()
  const [{ iccid }, update] = useSimsSearch()
  const close = () => update({ iccid: undefined })
  return (
    <DataCentre
      tab="sims"
      pane={
        iccid !== undefined &&
        iccidPattern.test(iccid) && (
          <PaneFrame layout={layout} label={t.card} onClose={close}>
            <ErrorFence name={iccid}>
              <SimPane key={iccid} iccid={iccid} onClose={close} />
            </ErrorFence>
          </PaneFrame>
        )
      }
    >
      {(space) => <SimsList space={space} />}
    </DataCentre>
  )
}
