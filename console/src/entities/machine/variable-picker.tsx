import type { telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Chips } from '../../shared/ui/fields/chips.tsx'
import type { Choice } from '../../shared/ui/kit/choice.ts'
import { NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { type TableView, useTableView } from '../../shared/ui/table/use-table-view.ts'
import { machineTagsQuery } from './machine-queries.ts'
import { useAllValues, ValueNow } from './value-now.tsx'
import css from './variable-picker.module.css'

type Tag = telemetry.Tag

/** A machine whose variables can be chosen. */
export interface PickerMachine {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly openAlarms?: number
  /** Those that it is in, by which a search finds it as well. */
  readonly groups?: readonly { readonly name: string }[]
}

/** A variable that was chosen, with the machine it is of. */
export interface PickedTag extends Tag {
  readonly machineId: number
}

export interface VariablePickerProps {
  /** Undefined while they are loaded. */
  machines: readonly PickerMachine[] | undefined
  /** The machine that is shown first. */
  first?: number | undefined
  chosen: readonly number[]
  /** Those of the chosen ones whose names are known. */
  known: readonly PickedTag[]
  max: number
  min?: number
  /** Says on the one button what is done with so many; without it, a form takes them over. */
  verb?: ((count: number) => string) | undefined
  isOffered?: (tag: Tag) => boolean
  /** Beside the machine that is shown. */
  aside?: (machine: PickerMachine) => ReactNode
  /** The variables in the order of their choice; `picked` has those that were chosen here. */
  onChoose: (tagIds: readonly number[], picked: readonly PickedTag[]) => void
  onClose: () => void
}

const keyOf = ({ tagId }: Tag) => tagId
const nameOf = ({ name }: Tag) => name
const noTags: readonly Tag[] = []
const noMachines: readonly PickerMachine[] = []
const kinds = ['chosen', 'alarm', 'other'] as const

/** The devices where a choice is likely first: with chosen variables, in alarm, then the others. */
function arrangeMachines(
  machines: readonly PickerMachine[],
  withChosen: ReadonlySet<number>,
  words: Readonly<Record<(typeof kinds)[number], string>>,
): Choice[] {
  const byKind = Map.groupBy(machines, ({ id, openAlarms = 0 }) =>
    withChosen.has(id) ? 'chosen' : openAlarms > 0 ? 'alarm' : 'other',
  )
  return kinds.flatMap((kind) =>
    (byKind.get(kind) ?? noMachines).map(({ id, name, code, groups = [] }) => ({
      value: String(id),
      label: name,
      hint: code,
      words: groups.map((group) => group.name).join(' '),
      group: byKind.size > 1 ? words[kind] : undefined,
    })),
  )
}

/**
 * Chooses variables of one or several machines, with their current values. A check is the choice: it stays while another
 * machine is looked at, until the one button takes over everything that is checked (rules/console.md: choosing).
 */
export function VariablePicker(props: VariablePickerProps) {
  const { machines, chosen, known, max, min = 0, isOffered, onChoose, onClose } = props
  const t = useText().history.picker
  const { verb = t.select } = props
  const isOne = max === 1
  const lang = useLang()
  const [draft, setDraft] = useState(
    () => new Map<number, PickedTag | undefined>(chosen.map((tagId) => [tagId, undefined])),
  )
  const byId = useMemo(() => new Map(known.map((tag) => [tag.tagId, tag])), [known])
  const devices = useMemo(() => {
    const withChosen = [...draft].flatMap(([tagId, tag]) => (tag ?? byId.get(tagId))?.machineId ?? [])
    return arrangeMachines(machines ?? noMachines, new Set(withChosen), t.devices)
  }, [machines, draft, byId, t])
  const [wished, wish] = useState(props.first)
  const machine =
    machines?.find(({ id }) => id === wished) ?? machines?.find(({ id }) => String(id) === devices[0]?.value)
  // A check changes the order of the devices, and not the one that is looked at.
  if (machine && machine.id !== wished) wish(machine.id)
  const id = machine?.id ?? 0
  const tags = useQuery({ ...machineTagsQuery(id, lang), enabled: id > 0 })
  useAllValues(id)
  const rows = useMemo(() => (isOffered ? tags.data?.filter(isOffered) : tags.data), [tags.data, isOffered])
  const columns = useColumns()
  const table = useTableView({ id: 'variables' })
  const view: TableView = { ...table, selected: useMemo(() => new Set(draft.keys()), [draft]), select }

  /** The rows of the machine that is shown decide about themselves alone. */
  function select(keys: ReadonlySet<string | number>) {
    const next = new Map(draft)
    for (const tag of rows ?? noTags) {
      if (!keys.has(tag.tagId)) next.delete(tag.tagId)
      else if (!next.has(tag.tagId)) {
        if (isOne) next.clear()
        next.set(tag.tagId, { ...tag, machineId: id })
      }
    }
    setDraft(next)
  }

  const names = new Map(machines?.map((one) => [one.id, one.name]))
  const ofThis = new Map((rows ?? noTags).map((tag) => [tag.tagId, { ...tag, machineId: id }]))
  const chips = [...draft].flatMap(([value, picked]) => {
    const tag = picked ?? byId.get(value) ?? ofThis.get(value)
    if (!tag) return []
    const device = names.get(tag.machineId)
    return [{ value, label: device && names.size > 1 ? `${device} · ${tag.name}` : tag.name }]
  })
  const isOfSeveral = machines !== undefined && machines.length > 1
  const aside = machine && props.aside?.(machine)
  const isCleared = draft.size === 0 && chosen.length > 0
  return (
    <Dialog
      title={isOne ? t.one : t.title}
      onClose={onClose}
      width={760}
      actions={
        <>
          <span className={css.count} role="status">
            {draft.size > max ? t.full(max) : !isOne && t.chosen(draft.size, max)}
          </span>
          <Button
            kind="primary"
            disabled={draft.size > max || draft.size < min || (draft.size === 0 && !isCleared)}
            onClick={() =>
              onChoose(
                [...draft.keys()],
                [...draft.values()].filter((tag) => tag !== undefined),
              )
            }
          >
            {isCleared ? t.clear : verb(draft.size)}
          </Button>
        </>
      }
    >
      <div className={css.picker}>
        <Chips
          chips={chips}
          removeLabel={t.remove}
          onRemove={(tagId) => setDraft(new Map([...draft].filter(([other]) => other !== tagId)))}
        />
        {(isOfSeveral || aside) && (
          <div className={css.head}>
            {isOfSeveral && (
              <ComboBox
                label={t.device}
                className={css.device}
                choices={devices}
                chosen={machine ? [String(machine.id)] : []}
                onChoose={([next]) => wish(Number(next))}
                searchLabel={t.deviceSearch}
                noneText={t.deviceNone}
              />
            )}
            {aside}
          </div>
        )}
        {machines?.length === 0 ? (
          <EmptyState icon="devices" title={t.noDevices} />
        ) : (
          <DataTable
            title={t.list}
            isTitleHidden
            view={view}
            source={wholeList(tags, rows)}
            columns={columns}
            rowKey={keyOf}
            rowName={nameOf}
            search={t.search}
            searched={({ tag, group }) => [tag, group]}
            hasKeys={false}
            picks={isOne ? 'one' : 'several'}
            empty={{ icon: 'tag', title: tags.data?.length ? t.noneFits : t.none }}
          />
        )}
      </div>
    </Dialog>
  )
}

function useColumns(): readonly TableColumn<Tag>[] {
  const t = useText().history.picker
  return useMemo(
    (): readonly TableColumn<Tag>[] => [
      {
        id: 'name',
        title: t.name,
        ...{ width: 180, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, tag }) => <NameCell name={name} minor={tag === name ? undefined : tag} />,
      },
      {
        id: 'group',
        title: t.group,
        ...{ width: 110, grow: 1, rank: 3 },
        value: ({ group }) => group,
      },
      {
        id: 'value',
        title: t.value,
        ...{ width: 120, grow: 1, rank: 1, card: 'half' },
        cell: (tag) => <ValueNow tag={tag} />,
      },
    ],
    [t],
  )
}
