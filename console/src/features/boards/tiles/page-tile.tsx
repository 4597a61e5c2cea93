import type { MachineRef } from '@busbar/contract'
import { Link } from '@tanstack/react-router'
import { enterAddress } from '../../../entities/machine/enter-machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'

/** The way to a device's own page. A visit begins with a press, since it is counted and may take control. */
export function PageTile({ machine: ref, eid }: { machine: MachineRef; eid: number | null }) {
  const t = useBoardsText().tile
  const types = useMachineTypes()
  const machine = useData().machine(ref)
  if (typeof machine === 'string') return <MissingNote why={machine} />
  return (
    <div className={css.page}>
      <MachinePicture look={types.look(machine)} photo={machine.photo} size="pane" />
      {machine.online ? (
        <a
          className={css.enter}
          href={enterAddress(machine.id)}
          target="_blank"
          rel="noopener"
          data-tip={t.enterHint}
        >
          <Icon name="signIn" size={16} />
          {t.enter}
        </a>
      ) : (
        <p className={css.missingSmall}>
          <Icon name="offline" size={12} />
          {t.offline}
        </p>
      )}
      {eid === null ? (
        <Link to="/index" search={{ machine: machine.id }} className={css.detail}>
          {t.page}
        </Link>
      ) : (
        <Link to="/device" search={{ type: 1, eid, machine: machine.id }} className={css.detail}>
          {t.page}
        </Link>
      )}
    </div>
  )
}
