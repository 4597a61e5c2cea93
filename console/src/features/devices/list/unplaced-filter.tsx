import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import type { MachineListView } from './use-machine-list.ts'

/** The filter that the map leads to, with the way to end it. */
export function UnplacedFilter({ view }: { view: MachineListView }) {
  const t = useText().machines
  if (!view.isUnplaced) return null
  return (
    <Button data-chosen="" onClick={() => view.setUnplaced(false)} aria-label={t.list.endUnplaced}>
      {t.list.unplaced}
      <Icon name="close" size={14} />
    </Button>
  )
}
