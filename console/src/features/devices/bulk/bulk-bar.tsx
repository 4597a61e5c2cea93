import type { Machine } from '../../../entities/machine/machine.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import type { IconName } from '../../../shared/ui/icon-paths.ts'
import { useDeviceSpace } from '../space.ts'
import { type Bulk, type BulkKind, bulkKinds, concerned } from './bulk-acts.ts'
import css from './bulk-bar.module.css'

interface BulkBarProps {
  /** The selected ones that are shown. */
  machines: readonly Machine[]
  select: (machineIds: ReadonlySet<RowKey>) => void
  onBulk: (bulk: Bulk) => void
  /** Selects all that are shown; on a phone, which has no header to do it. */
  onSelectAll?: () => void
}

const icons: Record<BulkKind, IconName> = { groups: 'group', team: 'user', confirm: 'check', remove: 'trash' }

/** How many devices are selected, and what can be done to them. In place of the list's foot, so that no row moves. */
export function BulkBar({ machines, select, onBulk, onSelectAll }: BulkBarProps) {
  const { table, machineEdit } = useText()
  const t = machineEdit.bulk
  const space = useDeviceSpace()
  return (
    <div className={css.bar} role="toolbar" aria-label={table.bulk}>
      <span className={css.count} role="status">
        {t.selected(formatNumber(machines.length))}
      </span>
      {bulkKinds.map((kind) => {
        const subjects = concerned(kind, space, machines)
        return (
          subjects.length > 0 && (
            <Button
              key={kind}
              size="small"
              icon={icons[kind]}
              onClick={() => onBulk({ kind, machines: subjects })}
            >
              {t[kind]}
            </Button>
          )
        )
      })}
      <span className={css.ends}>
        {onSelectAll && (
          <button type="button" className={css.link} onClick={onSelectAll}>
            {table.selectAll}
          </button>
        )}
        <button type="button" className={css.link} onClick={() => select(new Set())}>
          {table.deselect}
        </button>
      </span>
    </div>
  )
}
