import { useMemo, useState } from 'react'
import { useLang, useText } from '../../i18n/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import css from './machine-language.module.css'
import { findZones, listZones } from './time-zones.ts'

/** Zones drawn at most; a search finds the rest. */
const zonesShown = 80

interface ZonePickerProps {
  value: string
  disabled: boolean
  onChange: (zone: string) => void
}

/** One of the world's time zones, by its name, its place or its offset. */
export function ZonePicker({ value, disabled, onChange }: ZonePickerProps) {
  const t = useText().facts
  return (
    <Popover
      role="dialog"
      align="end"
      side="above"
      label={t.timeZone}
      className={css.picker}
      trigger={(props) => (
        <button
          type="button"
          className={css.choice}
          aria-label={`${t.timeZone}: ${value}`}
          disabled={disabled}
          {...props}
        >
          <span className="cut">{value}</span>
          <Icon name="chevronDown" size={14} />
        </button>
      )}
    >
      {(close) => (
        <Zones
          value={value}
          onChange={(zone) => {
            close()
            onChange(zone)
          }}
        />
      )}
    </Popover>
  )
}

function Zones({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const t = useText().facts
  const lang = useLang()
  const [query, setQuery] = useState('')
  const zones = useMemo(() => listZones(Date.now(), lang, value), [lang, value])
  const found = findZones(zones, query)
  return (
    <>
      <SearchField label={t.zoneSearch} value={query} onChange={setQuery} />
      <ul className={css.list}>
        {found.slice(0, zonesShown).map((zone) => (
          <li key={zone.name}>
            <button
              type="button"
              className={css.option}
              aria-pressed={zone.name === value}
              onClick={() => onChange(zone.name)}
            >
              <span className="cut" title={zone.words}>
                {zone.name}
              </span>
              <small>{zone.offset}</small>
              {zone.name === value && <Icon name="check" size={14} className={css.tick} />}
            </button>
          </li>
        ))}
      </ul>
      <p className={css.more} role="status">
        {found.length === 0
          ? t.zoneNone
          : found.length > zonesShown
            ? t.zoneMore(found.length - zonesShown)
            : ''}
      </p>
    </>
  )
}
