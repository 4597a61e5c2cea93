import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import css from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Use one primary per view. */
  kind?: 'default' | 'primary' | 'danger' | 'ghost'
  size?: 'small' | 'medium' | 'large'
  icon?: IconName
  /**
   * Shows that an action is in progress and ignores clicks. The button stays in place, so that the keyboard
   * focus is not lost.
   */
  busy?: boolean
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const {
    kind = 'default',
    size = 'medium',
    icon,
    busy = false,
    children,
    className,
    onClick,
    ...rest
  } = props
  return (
    <button
      type="button"
      {...rest}
      data-autofocus={rest.autoFocus || undefined}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? ignore : onClick}
      className={classes(
        css.button,
        kind !== 'default' && css[kind],
        size !== 'medium' && css[size],
        busy && css.busy,
        className,
      )}
    >
      {busy ? <span className={css.spinner} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** The form that the button belongs to is not sent either. */
const ignore = (event: MouseEvent) => event.preventDefault()

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  icon: IconName
  /** Its name, for the tip and for screen readers. */
  label: string
  size?: 'small' | 'medium'
  bordered?: boolean
  /** A badge on its corner. */
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, size = 'medium', bordered = false, className, children, ...rest } = props
  return (
    <button
      type="button"
      data-tip={label}
      aria-label={label}
      {...rest}
      className={classes(
        css.icon,
        size === 'small' && css.iconSmall,
        bordered && css.bordered,
        Boolean(children) && css.badged,
        className,
      )}
    >
      <Icon name={icon} size={size === 'small' ? 14 : 16} />
      {children}
    </button>
  )
}
