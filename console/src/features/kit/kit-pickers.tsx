import { useMemo, useState } from 'react'
import { useLang } from '../../shared/i18n/language.ts'
import { browserZone } from '../../shared/i18n/zone.ts'
import { ChoiceList } from '../../shared/ui/combo-box/choice-list.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { listZones } from '../../shared/ui/time-zones.ts'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import type { KitText } from './kit-text.ts'

const variablesShown = 1_000
const variablesPerArea = 50
const chosenMax = 5

/** Selects, combo boxes and lists with a search. */
export function KitPickers({ t }: { t: KitText }) {
  const lang = useLang()
  const [line, setLine] = useState<string>()
  const [zone, setZone] = useState('Asia/Shanghai')
  const [variables, setVariables] = useState<readonly string[]>(['1', '2'])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const lines = t.lines.map((label, place) => ({ value: String(place), label, disabled: place === 3 }))
  const zones = useMemo(
    () =>
      listZones(Date.now(), lang, 'Asia/Shanghai', browserZone).map(({ name, offset, words }) => ({
        value: name,
        label: name,
        hint: offset,
        words,
      })),
    [lang],
  )
  const tags = useMemo(
    () =>
      Array.from({ length: variablesShown }, (_, place) => ({
        value: String(place + 1),
        label: t.variable(place + 1),
        hint: '°C',
        group: t.area(Math.floor(place / variablesPerArea) + 1),
      })),
    [t],
  )
  return (
    <>
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
    </>
  )
}
