import { Icon } from '../../shared/ui/icon.tsx'
import css from './steps.module.css'

/** A failure of a form that belongs to none of its fields. */
export function FailureNote({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p className={css.failure} role="alert">
      <Icon name="warning" />
      {text}
    </p>
  )
}
