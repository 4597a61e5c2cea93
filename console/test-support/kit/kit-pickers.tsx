import { useState } from 'react'
import { ChoiceList } from '../../src/shared/ui/combo-box/choice-list.tsx'
import { ComboBox } from '../../src/shared/ui/combo-box/combo-box.tsx'
import { Select } from '../../src/shared/ui/select/select.tsx'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import { t } from './kit-text.ts'

const variablesShown = 1_000
const variablesPerArea = 50
const chosenMax = 5

const lines = t.lines.map((label, place) => ({ value: String(place), label, disabled: place === 3 }))
const tags = Array.from({ length: variablesShown }, (_, place) => ({
  value: String(place + 1),
  label: t.variable(place + 1),
  hint: '°C',
  group: t.area(Math.floor(place / variablesPerArea) + 1),
}))

const zones = Object.entries({
  'Asia/Shanghai': '+08:00',
  'Asia/Tokyo': '+09:00',
  'Europe/Berlin': '+01:00',
  'America/New_York': '−05:00',
}).map(([name, hint]) => ({ value: name, label: name, hint }))

/** Selects. */
export function KitSelects() {
  const [line, setLine] = useState<string>()
  return (
    <KitPart name={t.parts.select}>
      <Select label={t.line} className={css.field} choices={lines} value={line} onChange={setLine} />
      <Select
        label={t.small}
        className={css.field}
        size="small"
        choices={lines}
        value={line}
        onChange={setLine}
      />
      <Select
        label={t.large}
        className={css.field}
        size="large"
        choices={lines}
        value={line}
        onChange={setLine}
      />
      <Select label={t.disabled} disabled choices={lines} value="0" onChange={setLine} />
      <Select
        label={t.line}
        className={css.field}
        choices={lines}
        value="3"
        error={t.wrong}
        onChange={setLine}
      />
    </KitPart>
  )
}

/** Combo boxes, of one choice and of several. */
export function KitComboBoxes() {
  const [zone, setZone] = useState('Asia/Shanghai')
  const [variables, setVariables] = useState<readonly string[]>(['1', '2'])
  return (
    <KitPart name={t.parts.comboBox}>
      <ComboBox
        label={t.zone}
        className={css.field}
        choices={zones}
        chosen={[zone]}
        onChoose={([next]) => next && setZone(next)}
      />
      <ComboBox
        label={t.variables}
        className={css.field}
        choices={tags}
        chosen={variables}
        max={chosenMax}
        min={1}
        hint={t.atMost(variables.length, chosenMax)}
        onChoose={setVariables}
      />
    </KitPart>
  )
}

/** A list with a search. */
export function KitChoices() {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <KitPart name={t.parts.choices}>
      <ChoiceList
        label={t.variables}
        className={css.wide}
        choices={tags}
        chosen={chosen}
        max={variablesShown}
        onChoose={setChosen}
      />
    </KitPart>
  )
}
