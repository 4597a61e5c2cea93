import type { Ref } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { CountrySelect } from '../../shared/ui/fields/country-select.tsx'
import type { AccountEntry } from './account-entry.ts'

interface AccountFieldProps {
  entry: AccountEntry
  onChange: (entry: AccountEntry) => void
  error?: string | undefined
  /** In place of "Phone number" or "E-mail". */
  label?: string
  autoFocus?: boolean
  autoComplete?: string
  ref?: Ref<HTMLInputElement>
}

/** A phone number with its country code, or an e-mail. */
export function AccountField(props: AccountFieldProps) {
  const { entry, onChange, error, label, autoFocus = false, autoComplete = 'username', ref } = props
  const t = useText().login
  const isPhone = entry.kind === 'phone'
  return (
    <TextField
      key={entry.kind}
      {...(ref ? { ref } : {})}
      label={label ?? (isPhone ? t.phone : t.email)}
      placeholder={isPhone ? t.phonePlaceholder : t.emailPlaceholder}
      type={isPhone ? 'tel' : 'email'}
      name="account"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      value={entry.name}
      error={error}
      onChange={(name) => onChange({ ...entry, name })}
      before={
        isPhone && (
          <CountrySelect
            value={entry.countryCode}
            onChange={(countryCode) => onChange({ ...entry, countryCode })}
          />
        )
      }
    />
  )
}
