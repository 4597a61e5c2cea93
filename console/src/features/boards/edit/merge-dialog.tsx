import type { boards, Tile } from '@busbar/contract'
import { useState } from 'react'
import { formatMinute } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { namesOf } from '../tiles/tile-words.ts'
import css from './edit.module.css'
import type { Conflict, Side } from './merge.ts'

interface MergeDialogProps {
  theirs: boards.ChangedBoard
  conflicts: readonly Conflict[]
  busy: boolean
  onSave: (chosen: ReadonlyMap<string, Side>) => void
  onClose: () => void
}

/** Asks for each tile that two people changed which change to keep. */
export function MergeDialog({ theirs, conflicts, busy, onSave, onClose }: MergeDialogProps) {
  const text = useBoardsText()
  const t = text.merge
  const data = useData()
  const [chosen, choose] = useState<ReadonlyMap<string, Side>>(new Map())
  const by = theirs.by || text.view.someone
  const stateOf = (tile: Tile | undefined) => (tile ? t.changed : t.removed)
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      width={560}
      actions={
        <Button
          kind="primary"
          busy={busy}
          onClick={() =>
            onSave(new Map(conflicts.map(({ id }): [string, Side] => [id, chosen.get(id) ?? 'mine'])))
          }
        >
          {t.save}
        </Button>
      }
    >
      <Text as="p" below={12} tone="soft">
        {t.lead(by, formatMinute(theirs.at))}
      </Text>
      <ul className={css.conflicts}>
        {conflicts.map(({ id, mine, theirs: other }) => {
          const tile = mine ?? other
          const name = tile ? namesOf(tile, data, text).title || text.kinds[tile.type] : id
          return (
            <li key={id}>
              <span className="cut" title={name}>
                {name}
              </span>
              <ToggleGroup<Side>
                label={name}
                size="small"
                value={chosen.get(id) ?? 'mine'}
                options={[
                  { value: 'mine', label: `${t.mine} · ${stateOf(mine)}` },
                  { value: 'theirs', label: `${t.theirs(by)} · ${stateOf(other)}` },
                ]}
                onChange={(side) => choose(new Map([...chosen, [id, side]]))}
              />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
