import type { telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { machineTagsQuery } from '../../entities/machine/machine-queries.ts'
import { useSpaceMachines } from '../../entities/machine/space-machines.ts'
import { useAllValues, ValueNow } from '../../entities/machine/value-now.tsx'
import { useLang } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'
import type { ExplorerTag } from './use-explorer.ts'

type Tag = telemetry.Tag

interface TagPickerProps {
  space: PageSpace
  chosen: readonly number[]
  /** Those of the chosen ones that the reader may see. */
  found: readonly ExplorerTag[]
  max: number
  onChoose: (tagIds: readonly number[]) => void
  onClose: () => void
}

const keyOf = ({ tagId }: Tag) => tagId
const nameOf = ({ name }: Tag) => name

/** Chooses variables of several devices and shows their current values. A chosen variable is drawn immediately. */
export function TagPicker({ space, chosen, found, max, onChoose, onClose }: TagPickerProps) {
  const t = useExplorerText()
  const lang = useLang()
  const known = useSpaceMachines(space)
  const list = known ?? []
  const [wished, choose] = useState(found.at(-1)?.machine.id)
  const machine = list.find(({ id }) => id === wished) ?? list[0]
  const id = machine?.id ?? 0
  const tags = useQuery({ ...machineTagsQuery(id, lang), enabled: id > 0 })
  useAllValues(id)
  const view = useTableView({ id: 'explorer.tags' })
  const columns = useMemo(
    (): readonly TableColumn<Tag>[] => [
      {
        id: 'name',
        title: t.pickName,
        ...{ width: 180, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, tag }) => <NameCell name={name} minor={tag === name ? undefined : tag} />,
      },
      {
        id: 'group',
        title: t.pickGroup,
        ...{ width: 110, grow: 1, rank: 3 },
        value: ({ group }) => group,
      },
      {
        id: 'value',
        title: t.pickValue,
        ...{ width: 120, grow: 1, rank: 1, card: 'half' },
        cell: (tag) => <ValueNow tag={tag} />,
      },
    ],
    [t],
  )
  const add = (rows: readonly Tag[]) => {
    view.select(new Set())
    onChoose([...new Set([...chosen, ...rows.map(keyOf)])])
  }
  return (
    <Dialog
      title={t.pick}
      onClose={onClose}
      width={760}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t.pickDone}
        </Button>
      }
    >
      <div className={css.picker}>
        {found.length > 0 && (
          <div className={css.chosen}>
            <span className={css.count}>{t.pickChosen(chosen.length, max)}</span>
            <ul>
              {found.map(({ tag, machine: of }) => (
                <li key={tag.tagId} className={css.chip}>
                  <span className="cut" title={`${of.name} · ${tag.name}`}>
                    <small className={css.chipMachine}>{of.name}</small> {tag.name}
                  </span>
                  <button
                    type="button"
                    aria-label={t.pickRemove(`${of.name} · ${tag.name}`)}
                    onClick={() => onChoose(chosen.filter((other) => other !== tag.tagId))}
                  >
                    <Icon name="close" size={12} />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        <ComboBox
          label={t.pickDevice}
          className={css.pickerDevice}
          choices={list.map(({ id: value, name, code }) => ({
            value: String(value),
            label: name,
            hint: code,
          }))}
          chosen={machine ? [String(machine.id)] : []}
          onChoose={([next]) => {
            view.select(new Set())
            choose(Number(next))
          }}
          searchLabel={t.pickDeviceSearch}
          noneText={t.pickDeviceNone}
        />
        {known?.length === 0 ? (
          <EmptyState icon="devices" title={t.noDevices} />
        ) : (
          <DataTable
            title={t.pickTags}
            isTitleHidden
            view={view}
            source={wholeList(tags)}
            columns={columns}
            rowKey={keyOf}
            rowName={nameOf}
            search={t.pickSearch}
            searched={({ tag, group }) => [tag, group]}
            hasKeys={false}
            bulk={(rows) => {
              const total = new Set([...chosen, ...rows.map(keyOf)]).size
              return (
                <>
                  <span className={css.count}>
                    {total > max ? t.pickFull(max) : t.pickChosen(total, max)}
                  </span>
                  <Button kind="primary" size="small" disabled={total > max} onClick={() => add(rows)}>
                    {t.pickAdd}
                  </Button>
                </>
              )
            }}
            empty={{ icon: 'tag', title: t.pickEmpty }}
          />
        )}
      </div>
    </Dialog>
  )
}
