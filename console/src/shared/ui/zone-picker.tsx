import { useMemo, useState } from 'react'
import { browserZone, useLang, useText } from '../i18n/index.ts'
import { Icon } from './icon.tsx'
import { Popover } from './popover.tsx'
import { SearchField } from './search-field.tsx'
import { findZones, listZones } from './time-zones.ts'
import css from './zone-picker.module.css'

/** Zones drawn at most; a search finds the rest. */
const zonesShown = 80

interface ZonePickerProps {
  label: string
  value: string
  disabled?: boolean
  side?: 'above' | 'below'
  onChange: (zone: string) => void
}

/** One of the world's time zones, by its name, its place or its offset. */
export function ZonePicker({ label, value, disabled, side = 'above', onChange }: ZonePickerProps) {
  return (
    <Popover
      role="dialog"
      align="end"
      side={side}
      label={label}
      className={css.picker}
      trigger={(props) => (
        <button
          type="button"
          className={css.choice}
          aria-label={`${label}: ${value}`}
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
  const t = useText().app.zone
  const lang = useLang()
  const [query, setQuery] = useState('')
  const zones = useMemo(() => listZones(Date.now(), lang, value, browserZone), [lang, value])
  const found = findZones(zones, query)
  return (
    <>
      <SearchField
        label={t.search}
        value={query}
        onChange={setQuery}
        onKeyDown={({ key }) => {
          const [first] = found
          if (key === 'Enter' && query !== '' && first) onChange(first.name)
        }}
      />
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
              {zone.name === browserZone && <small>{t.here}</small>}
              <small>{zone.offset}</small>
              {zone.name === value && <Icon name="check" size={14} className={css.tick} />}
            </button>
          </li>
        ))}
      </ul>
      <p className={css.more} role="status">
        {found.length === 0 ? t.none : found.length > zonesShown ? t.more(found.length - zonesShown) : ''}
      </p>
    </>
  )
}
