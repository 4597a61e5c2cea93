import { Icon } from '../icon.tsx'
import css from './field.module.css'

/** An error under its field. */
export function FieldError({ id, children }: { id?: string; children: string }) {
  return (
    <p id={id} role="alert" className={css.error}>
      <Icon name="warning" size={14} />
      {children}
    </p>
  )
}
