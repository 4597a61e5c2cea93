import type { AnchorHTMLAttributes, ReactNode } from 'react'
import button from './button.module.css'
import { classes } from './classes.ts'
import css from './link-button.module.css'

interface LinkButtonProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Undefined: it cannot be followed; `data-tip` says why. */
  href: string | undefined
  /** Use one primary per view. */
  kind?: 'default' | 'primary' | 'ghost'
  size?: 'small' | 'medium'
  children: ReactNode
}

/** A link that looks like a button: it can be opened in another tab, copied and shared. */
export function LinkButton(props: LinkButtonProps) {
  const { href, kind = 'default', size = 'medium', className, children, ...rest } = props
  const looks = classes(
    button.button,
    css.link,
    kind !== 'default' && button[kind],
    kind === 'primary' && css.primary,
    size !== 'medium' && button[size],
    href === undefined && css.blocked,
    className,
  )
  if (href !== undefined) {
    return (
      <a {...rest} href={href} className={looks}>
        {children}
      </a>
    )
  }
  return (
    // Without an address it is the placeholder of a link, as HTML has it.
    <a {...rest} role="link" aria-disabled="true" tabIndex={rest.tabIndex ?? 0} className={looks}>
      {children}
    </a>
  )
}
