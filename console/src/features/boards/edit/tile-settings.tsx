import {
  type BoardTag,
  boardLimits,
  machines as contract,
  listTileTags,
  type MachineRef,
  machineVariable,
  type Tile,
} from '@busbar/contract'
import { useState } from 'react'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './edit.module.css'
import { changeKind, isSingle, isTagKind, tagKinds } from './new-tile.ts'
import { TilePicker } from './tile-picker.tsx'

interface TileSettingsProps {
  tile: Tile
  space: PageSpace
  machineType: string | undefined
  onChange: (tile: Tile) => void
  onClose: () => void
}

/** The most variables that a tile of a kind can have. */
const tagsMax = {
  value: 1,
  state: 1,
  gauge: 1,
  bar: boardLimits.tagsPerBar,
  trend: boardLimits.tagsPerTrend,
  strip: boardLimits.tagsPerStrip,
  table: boardLimits.tagsPerTable,
  picture: boardLimits.tagsPerPicture,
} as const

/** Settings of a tile, beside the board. Each change is visible immediately and can be undone. */
export function TileSettings(props: TileSettingsProps) {
  const { tile, machineType, onChange, onClose } = props
  const t = useBoardsText()
  const { levels } = useText().machines.alarms
  return (
    <aside className={css.settings} aria-label={t.edit.settings}>
      <header className={css.settingsHead}>
        <h2>{t.edit.settings}</h2>
        <IconButton icon="close" size="small" label={t.list.close} onClick={onClose} />
      </header>
      <TextField
        label={t.edit.title}
        placeholder={t.edit.titleHint}
        maxLength={boardLimits.tileTitleMax * 2}
        value={tile.title}
        onChange={(title) => onChange({ ...tile, title })}
      />
      {isTagKind(tile.type) && (
        <SelectField
          label={t.edit.kind}
          value={tile.type}
          options={tagKinds.map((value) => ({ value: value as string, label: t.kinds[value] }))}
          onChange={(value) => {
            const kind = tagKinds.find((one) => one === value)
            const changed = kind && changeKind(tile, kind, listTileTags(tile))
            if (changed) onChange(changed)
          }}
        />
      )}
      {'machine' in tile && (
        <MachineField
          label={t.edit.machine}
          {...props}
          chosen={[tile.machine]}
          max={1}
          onChoose={([machine]) => machine !== undefined && onChange({ ...tile, machine })}
        />
      )}
      {tile.type === 'alarms' && (
        <>
          <MachineField
            label={t.edit.machines}
            placeholder={t.edit.allMachines}
            {...props}
            chosen={tile.machines}
            max={boardLimits.machinesPerTile}
            onChoose={(machines) => onChange({ ...tile, machines: [...machines] })}
          />
          <SelectField
            label={t.edit.level}
            value={tile.level}
            options={contract.alarmLevels.map((value) => ({ value, label: levels[value] }))}
            onChange={(level) => onChange({ ...tile, level })}
          />
        </>
      )}
      {('tag' in tile || 'tags' in tile) && <TagsPart {...props} />}
      {tile.type === 'trend' && (
        <Row gap={8} justify="between">
          <span>{t.edit.axes}</span>
          <ToggleGroup
            label={t.edit.axes}
            size="small"
            value={tile.axes}
            options={[
              { value: 'several', label: t.edit.axesSeveral },
              { value: 'one', label: t.edit.axesOne },
            ]}
            onChange={(axes) => onChange({ ...tile, axes })}
          />
        </Row>
      )}
      {tile.type === 'value' && (
        <Row gap={8} justify="between">
          <span>{t.edit.figure}</span>
          <ToggleGroup
            label={t.edit.figure}
            size="small"
            value={tile.figure ?? 'now'}
            options={[
              { value: 'now', label: t.edit.figureNow },
              { value: 'rise', label: t.edit.figureRise },
            ]}
            onChange={(figure) => onChange({ ...tile, figure })}
          />
        </Row>
      )}
      {(tile.type === 'gauge' || tile.type === 'bar') && (
        <div className={css.ends}>
          <EndField label={t.edit.min} value={tile.min} onChange={(min) => onChange({ ...tile, min })} />
          <EndField label={t.edit.max} value={tile.max} onChange={(max) => onChange({ ...tile, max })} />
          <p className={css.hint}>{t.edit.ownLimit}</p>
        </div>
      )}
      {tile.type === 'text' && (
        <TextArea
          label={t.edit.text}
          rows={8}
          maxLength={boardLimits.tileTextMax}
          value={tile.text}
          onChange={(text) => onChange({ ...tile, text })}
        />
      )}
      {machineType === undefined ? null : <p className={css.hint}>{t.edit.variableHint}</p>}
    </aside>
  )
}

interface MachineFieldProps {
  label: string
  placeholder?: string
  space: PageSpace
  machineType: string | undefined
  chosen: readonly MachineRef[]
  max: number
  onChoose: (machines: readonly MachineRef[]) => void
}

/** Devices of the space, with the one chosen at the opening if the board has a variable. */
function MachineField({ label, placeholder, space, machineType, chosen, max, onChoose }: MachineFieldProps) {
  const t = useBoardsText()
  const list = useSpaceMachines(space) ?? []
  const choices = [
    ...(machineType === undefined ? [] : [{ value: machineVariable as string, label: t.edit.chosenDevice }]),
    ...list.map(({ id, name, code }) => ({ value: String(id), label: name, hint: code })),
  ]
  return (
    <ComboBox
      label={label}
      {...(placeholder ? { placeholder } : {})}
      choices={choices}
      chosen={chosen.map(String)}
      {...(max > 1 ? { max } : {})}
      onChoose={(values) =>
        onChoose(values.map((value) => (value === machineVariable ? machineVariable : Number(value))))
      }
      searchLabel={t.view.deviceSearch}
      noneText={t.view.deviceNone}
    />
  )
}

/** The variables of a tile. */
function TagsPart({ tile, space, machineType, onChange }: TileSettingsProps) {
  const t = useBoardsText()
  const data = useData()
  const [picks, setPicks] = useState(false)
  const tags = listTileTags(tile)
  const max = tile.type in tagsMax ? tagsMax[tile.type as keyof typeof tagsMax] : 0
  const single = isSingle(tile.type)
  const put = (next: readonly BoardTag[]) => {
    const [tag] = next
    if ('tag' in tile) {
      if (tag) onChange({ ...tile, tag })
    } else if ('tags' in tile) onChange({ ...tile, tags: [...next].slice(0, max) })
  }
  const [first] = tags
  return (
    <div className={css.tags}>
      <Text as="p" tone="soft" size={12}>
        {t.edit.tags}
      </Text>
      <ul>
        {tags.map((ref, index) => {
          const found = data.tag(ref)
          const name = typeof found === 'string' ? ref.tag : found.tag.name
          const device = typeof found === 'string' ? t.tile[found] : found.machine.name
          const isLast = tags.length === 1 && tile.type !== 'picture'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same variable may be shown twice
            <li key={index}>
              <span className={css.tagName}>
                <span className="cut" title={name}>
                  {name}
                </span>
                <span className="cut" title={device}>
                  {device}
                </span>
              </span>
              {!single && !isLast && (
                <IconButton
                  icon="close"
                  size="small"
                  label={t.edit.removeTag(name)}
                  onClick={() => put(tags.filter((_, place) => place !== index))}
                />
              )}
            </li>
          )
        })}
      </ul>
      <Button size="small" icon={single ? 'edit' : 'plus'} onClick={() => setPicks(true)}>
        {single ? t.edit.pick : t.edit.addTags}
      </Button>
      {picks && (
        <TilePicker
          space={space}
          machineType={machineType}
          first={first && data.idOf(first.machine)}
          chosen={tags}
          max={max}
          min={tile.type === 'picture' ? 0 : 1}
          onPick={(picked) => {
            setPicks(false)
            put(picked)
          }}
          onClose={() => setPicks(false)}
        />
      )}
    </div>
  )
}

interface EndFieldProps {
  label: string
  value: number | null
  onChange: (value: number | null) => void
}

/** An end of a scale; empty is the variable's own. */
function EndField({ label, value, onChange }: EndFieldProps) {
  const [typed, type] = useState(value === null ? '' : String(value))
  return (
    <NumberField
      label={label}
      value={typed}
      decimals={6}
      onChange={(text) => {
        type(text)
        const number = Number(text)
        if (text.trim() === '') onChange(null)
        else if (Number.isFinite(number)) onChange(number)
      }}
    />
  )
}
