import { type BoardTag, boards, machineVariable, type telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { useAllValues, ValueNow } from '../../../entities/machine/value-now.tsx'
import { call } from '../../../shared/api/client.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { NameCell } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../../shared/ui/table/table-source.ts'
import { useTableView } from '../../../shared/ui/table/use-table-view.ts'
import { useAct } from '../../../shared/ui/use-act.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './edit.module.css'

type Tag = telemetry.Tag

interface TagPickerProps {
  space: PageSpace
  /** The type of the board's variable: a device of it can be named as the one that is chosen on opening. */
  machineType: string | undefined
  /** The device that is shown first. */
  first: number | undefined
  max: number
  onPick: (tags: readonly BoardTag[]) => void
  onClose: () => void
}

const keyOf = ({ tagId }: Tag) => tagId
const nameOf = ({ name }: Tag) => name

/** Chooses variables of a device and shows their current values. */
export function TagPicker({ space, machineType, first, max, onPick, onClose }: TagPickerProps) {
  const t = useBoardsText()
  const lang = useLang()
  const known = useSpaceMachines(space)
  const list = known ?? []
  const [wished, choose] = useState(first)
  const [asChosen, setAsChosen] = useState(true)
  const machine = list.find(({ id }) => id === wished) ?? list[0]
  const id = machine?.id ?? 0
  const tags = useQuery({ ...machineTagsQuery(id, lang), enabled: id > 0 })
  useAllValues(id)
  const view = useTableView({ id: 'boards.tags' })
  const isOfType = machineType !== undefined && machine?.type === machineType
  const pick = useAct({
    // Layouts name variables as their devices do; lists show the names that people read.
    call: async (tagIds: readonly number[]) => {
      const found = await call(boards.lookUpBoardTags, { tags: [], tagIds: [...tagIds] })
      const byId = new Map(found.tags.map((tag) => [tag.tagId, tag]))
      onPick(
        tagIds.flatMap((tagId) => {
          const tag = byId.get(tagId)
          if (!tag) return []
          const ref = isOfType && asChosen ? machineVariable : tag.machineId
          return [{ machine: ref, group: tag.wireGroup, tag: tag.tag }]
        }),
      )
    },
    done: t.edit.pickAdd,
    touched: [],
  })
  const { mutate, isPending } = pick
  const columns = useMemo(
    (): readonly TableColumn<Tag>[] => [
      {
        id: 'name',
        title: t.edit.pickName,
        ...{ width: 180, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, tag }) => <NameCell name={name} minor={tag === name ? undefined : tag} />,
      },
      {
        id: 'group',
        title: t.edit.pickGroup,
        ...{ width: 110, grow: 1, rank: 3 },
        value: ({ group }) => group,
      },
      {
        id: 'value',
        title: t.edit.pickValue,
        ...{ width: 120, grow: 1, rank: 1, card: 'half' },
        cell: (tag) => <ValueNow tag={tag} />,
      },
    ],
    [t],
  )
  return (
    <Dialog title={t.edit.pick} onClose={onClose} width={720}>
      <div className={css.picker}>
        <div className={css.pickerHead}>
          <ComboBox
            label={t.edit.pickDevice}
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
            searchLabel={t.view.deviceSearch}
            noneText={t.view.deviceNone}
          />
          {isOfType && (
            <span className={css.asChosen}>
              <Switch label={t.edit.asChosen} checked={asChosen} onChange={setAsChosen} />
              {t.edit.asChosen}
            </span>
          )}
        </div>
        {known?.length === 0 ? (
          <EmptyState icon="devices" title={t.edit.noDevices} />
        ) : (
          <DataTable
            title={t.edit.tags}
            isTitleHidden
            view={view}
            source={wholeList(tags)}
            columns={columns}
            rowKey={keyOf}
            rowName={nameOf}
            search={t.edit.pickSearch}
            searched={({ tag, group }) => [tag, group]}
            hasKeys={false}
            bulk={(rows) => (
              <>
                <span className={css.count}>{t.edit.pickCount(rows.length, max)}</span>
                <Button
                  kind="primary"
                  size="small"
                  busy={isPending}
                  disabled={rows.length > max}
                  onClick={() => mutate(rows.map(keyOf))}
                >
                  {t.edit.pickAdd}
                </Button>
              </>
            )}
            empty={{ icon: 'tag', title: t.edit.pickEmpty }}
          />
        )}
      </div>
    </Dialog>
  )
}
