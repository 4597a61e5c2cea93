import { Icon } from '../../shared/ui/icon.tsx'
import css from './steps.module.css'

/** What went wrong with a form and belongs beside none of its fields. */
export function FailureNote({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p className={css.failure} role="alert">
      <Icon name="warning" />
      {text}
    </p>
  )
}
