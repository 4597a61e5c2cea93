import type { Machine } from '../../../entities/machine/machine.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import type { IconName } from '../../../shared/ui/icon-paths.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'
import { type Bulk, type BulkKind, bulkKinds, concerned } from './bulk-acts.ts'
import css from './bulk-bar.module.css'

interface BulkBarProps {
  /** The selected ones that are shown. */
  machines: readonly Machine[]
  select: (machineIds: ReadonlySet<RowKey>) => void
  onBulk: (bulk: Bulk) => void
  /** Selects all that are shown; only on a phone, where no table header does it. */
  onSelectAll?: () => void
}

const icons: Record<BulkKind, IconName> = { groups: 'group', team: 'user', confirm: 'check', remove: 'trash' }

/**
 * Shows how many devices are selected and the actions on them. It replaces the list's foot, so that rows do
 * not move.
 */
export function BulkBar({ machines, select, onBulk, onSelectAll }: BulkBarProps) {
  const { table, machineEdit } = useText()
  const t = machineEdit.bulk
  const space = useDeviceSpace()
  return (
    <div className={css.bar} role="toolbar" aria-label={table.bulk}>
      <Text weight={600} oneLine numbers className={css.count} role="status">
        {t.selected(formatNumber(machines.length))}
      </Text>
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
      <Row as="span" gap={14} align="stretch" last>
        {onSelectAll && (
          <button type="button" className={css.link} onClick={onSelectAll}>
            {table.selectAll}
          </button>
        )}
        <button type="button" className={css.link} onClick={() => select(new Set())}>
          {table.deselect}
        </button>
      </Row>
    </div>
  )
}
