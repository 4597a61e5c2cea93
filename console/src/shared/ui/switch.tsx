import { classes } from './classes.ts'
import css from './switch.module.css'

interface SwitchProps {
  /** Its name for screen readers; other people read it beside the switch. */
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** Why it cannot be pressed. */
  reason?: string | undefined
  className?: string | undefined
}

/** A switch that takes effect immediately. */
export function Switch({ label, checked, onChange, disabled, reason, className }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-description={reason}
      title={reason}
      disabled={disabled}
      className={classes(css.switch, className)}
      onClick={() => onChange(!checked)}
    />
  )
}
