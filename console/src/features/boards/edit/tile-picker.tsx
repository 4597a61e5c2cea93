import { type BoardTag, machineVariable } from '@busbar/contract'
import { useMemo, useState } from 'react'
import { VariablePicker } from '../../../entities/machine/lazy-variable-picker.ts'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import type { PickedTag } from '../../../entities/machine/variable-picker.tsx'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './edit.module.css'

interface TilePickerProps {
  space: PageSpace
  /** The type of the board's variable: a device of it can be named as the one that is chosen on opening. */
  machineType: string | undefined
  /** The device that is shown first. */
  first: number | undefined
  /** The variables of the tile. */
  chosen: readonly BoardTag[]
  max: number
  min?: number
  /** The words of the button; by default a tile shows what is chosen. */
  verb?: (count: number) => string
  onPick: (tags: readonly BoardTag[]) => void
  onClose: () => void
}

const noTags: readonly BoardTag[] = []

/** Chooses the variables of a tile, which a layout names as their devices do. */
export function TilePicker(props: TilePickerProps) {
  const { space, machineType, first, chosen, max, min = 1, onPick, onClose } = props
  const t = useBoardsText().edit
  const { show } = useText().history.picker
  const data = useData()
  const machines = useSpaceMachines(space)
  const [asChosen, setAsChosen] = useState(true)
  const { refs, known, hidden } = useMemo(() => {
    const all = chosen.map((ref) => ({ ref, found: data.tag(ref) }))
    const seen = all.flatMap(({ ref, found }) => (typeof found === 'string' ? [] : [{ ref, tag: found.tag }]))
    return {
      refs: Map.groupBy(seen, ({ tag }) => tag.tagId),
      known: seen.map(({ tag }) => tag),
      hidden: all.flatMap(({ ref, found }) => (typeof found === 'string' ? [ref] : [])),
    }
  }, [chosen, data])
  const isOfType = (machineId: number) =>
    machineType !== undefined && machines?.find(({ id }) => id === machineId)?.type === machineType
  const refOf = ({ machineId, wireGroup, tag }: PickedTag): BoardTag => ({
    machine: asChosen && isOfType(machineId) ? machineVariable : machineId,
    group: wireGroup,
    tag,
  })
  return (
    <VariablePicker
      machines={machines}
      first={first}
      chosen={[...refs.keys()]}
      known={known}
      max={max === 1 ? 1 : max - hidden.length}
      min={min}
      verb={props.verb ?? show}
      aside={({ id }) =>
        isOfType(id) && (
          <span className={css.asChosen}>
            <Switch label={t.asChosen} checked={asChosen} onChange={setAsChosen} />
            {t.asChosen}
          </span>
        )
      }
      onChoose={(tagIds, picked) => {
        const added = new Map(picked.map((tag) => [tag.tagId, [refOf(tag)]]))
        const shown = tagIds.flatMap(
          (tagId) => refs.get(tagId)?.map(({ ref }) => ref) ?? added.get(tagId) ?? noTags,
        )
        // Variables that the reader may not see stay in the tile, unless it has room for one only.
        onPick(max === 1 ? shown : [...shown, ...hidden])
      }}
      onClose={onClose}
    />
  )
}
