import { useMemo } from 'react'
import { browserZone, useLang, useText } from '../i18n/index.ts'
import { ComboBox } from './combo-box/combo-box.tsx'
import { listZones } from './time-zones.ts'
import css from './zone-picker.module.css'

interface ZonePickerProps {
  label: string
  value: string
  disabled?: boolean
  onChange: (zone: string) => void
}

/** A time zone, by its name, its place or its offset. */
export function ZonePicker({ label, value, disabled = false, onChange }: ZonePickerProps) {
  const t = useText().app.zone
  const lang = useLang()
  const choices = useMemo(
    () =>
      listZones(Date.now(), lang, value, browserZone).map(({ name, offset, words }) => ({
        value: name,
        label: name,
        hint: name === browserZone ? `${t.here} · ${offset}` : offset,
        words,
      })),
    [lang, value, t],
  )
  return (
    <ComboBox
      label={label}
      isLabelHidden
      className={css.zone}
      placement="bottom end"
      searchLabel={t.search}
      noneText={t.none}
      choices={choices}
      chosen={[value]}
      disabled={disabled}
      onChoose={([zone]) => zone !== undefined && onChange(zone)}
    />
  )
}
