import { type InputHTMLAttributes, type Ref, useState } from 'react'
import { useText } from '../../i18n/language.ts'
import { TextField } from '../field.tsx'
import { Icon } from '../icon.tsx'
import css from './password-field.module.css'

interface PasswordFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A password with a button that shows the typed text. */
export function PasswordField(props: PasswordFieldProps) {
  const t = useText().login
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      after={
        <button
          type="button"
          className={css.eye}
          aria-label={shown ? t.hide : t.show}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} size={18} />
        </button>
      }
    />
  )
}
