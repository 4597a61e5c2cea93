import { boardLimits, listMachineRefs, machineVariable } from '@busbar/contract'
import { presetNames, presets } from '../../../entities/history/history-span.ts'
import { presetText } from '../../../entities/history/history-text.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { useBoardsText } from '../boards-text.ts'
import css from './edit.module.css'
import type { Draft } from './merge.ts'

interface BoardSettingsProps {
  draft: Draft
  space: PageSpace
  onChange: (draft: Draft) => void
  onClose: () => void
}

/** Name, time range and device variable of a board, beside it. */
export function BoardSettings({ draft, space, onChange, onClose }: BoardSettingsProps) {
  const t = useBoardsText()
  const { history } = useText()
  const types = useMachineTypes()
  const list = useSpaceMachines(space) ?? []
  const { layout } = draft
  const { range, variable } = layout
  const named = new Map(list.map((machine) => [machine.type, types.name(machine)]))
  if (variable && !named.has(variable.machineType)) named.set(variable.machineType, variable.machineType)
  const isUsed = listMachineRefs(layout).includes(machineVariable)
  const last = 'lastMs' in range ? range.lastMs : 0
  const spans = presetNames.map((name) => ({
    value: presets[name] as number,
    label: presetText(name, history),
  }))
  return (
    <aside className={css.settings} aria-label={t.edit.boardSettings}>
      <header className={css.settingsHead}>
        <h2>{t.edit.boardSettings}</h2>
        <IconButton icon="close" size="small" label={t.list.close} onClick={onClose} />
      </header>
      <TextField
        label={t.list.name}
        maxLength={boardLimits.boardNameMax * 2}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
      />
      <SelectField
        label={t.view.range}
        value={last}
        options={last === 0 ? [{ value: 0, label: history.custom.title }, ...spans] : spans}
        onChange={(lastMs) => lastMs > 0 && onChange({ ...draft, layout: { ...layout, range: { lastMs } } })}
      />
      <SelectField
        label={t.edit.variable}
        hint={isUsed && variable ? t.edit.variableUsed : t.edit.variableHint}
        value={variable?.machineType ?? ''}
        options={[
          ...(isUsed ? [] : [{ value: '', label: t.edit.variableNone }]),
          ...Array.from(named, ([value, label]) => ({ value, label })),
        ]}
        onChange={(machineType) =>
          onChange({ ...draft, layout: { ...layout, variable: machineType ? { machineType } : null } })
        }
      />
    </aside>
  )
}
