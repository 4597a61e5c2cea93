import { useText } from '../../i18n/language.ts'
import { Icon } from '../../ui/icon.tsx'
import css from './country-select.module.css'

/** 86 first; then the neighbours, then by number. */
const firstCodes = ['86', '852', '853', '886'] as const

/** The dial code. Closed it shows the number only; the open list is the system's own, with the countries' names. */
export function CountrySelect({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const t = useText().login
  const others = Object.keys(t.countries).filter((code) => !firstCodes.some((first) => first === code))
  return (
    <span className={css.select}>
      <span aria-hidden="true" className="numbers">
        +{value}
      </span>
      <Icon name="chevronDown" size={12} />
      <select aria-label={t.country} value={value} onChange={(event) => onChange(event.target.value)}>
        {[...firstCodes, ...others].map((code) => (
          <option key={code} value={code}>
            +{code} {countryName(t.countries, code)}
          </option>
        ))}
      </select>
    </span>
  )
}

function countryName(names: Readonly<Record<string, string>>, code: string): string {
  return names[code] ?? ''
}
