import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { isComposing } from './keys.ts'
import css from './popover.module.css'

export interface PopoverTrigger {
  readonly onClick: () => void
  readonly 'aria-expanded': boolean
  readonly 'aria-haspopup': 'menu' | 'dialog'
  readonly 'aria-controls': string | undefined
}

interface PopoverProps {
  /** Draws the button that opens it; spread what it is given on that button. */
  trigger: (props: PopoverTrigger) => ReactNode
  children: (close: () => void) => ReactNode
  label: string
  /** A menu's arrow keys move between its items; a dialog holds anything. */
  role?: 'menu' | 'dialog'
  align?: 'start' | 'end'
  /** Above the button where that stands at the lower edge. */
  side?: 'below' | 'above'
  /** The anchor fills its row. */
  block?: boolean
  className?: string | undefined
}

/** A small panel at its button. Esc and a press elsewhere close it; focus returns to the button. */
export function Popover(props: PopoverProps) {
  const { trigger, children, label, className } = props
  const { role = 'menu', align = 'start', side = 'below', block = false } = props
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    if (open && panel.current) keepOnScreen(panel.current)
  }, [open])

  useEffect(() => {
    if (!open) return
    const items = focusables(panel.current)
    const chosen = items.find((item) => item.getAttribute('aria-checked') === 'true')
    ;(chosen ?? items[0])?.focus()
    const onPress = (event: PointerEvent) => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [open])

  function close() {
    setOpen(false)
    anchor.current?.querySelector('button')?.focus()
  }

  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') {
      // Only this closes, not the dialog it may lie in.
      event.preventDefault()
      return close()
    }
    if (event.key === 'Tab' && role === 'menu') return close()
    if (role !== 'menu') return
    const items = focusables(panel.current)
    const place = items.indexOf(document.activeElement as HTMLElement)
    const places: Readonly<Record<string, number>> = {
      ArrowDown: (place + 1) % items.length,
      ArrowUp: (place - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }
    const next = places[event.key]
    if (next === undefined) return
    event.preventDefault()
    items[next]?.focus()
  }

  return (
    <div ref={anchor} className={classes(css.anchor, block && css.block)}>
      {trigger({
        onClick: () => setOpen(!open),
        'aria-expanded': open,
        'aria-haspopup': role,
        'aria-controls': open ? id : undefined,
      })}
      {open && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles it may have take a name
        // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles
        <div
          ref={panel}
          id={id}
          role={role}
          aria-label={label}
          className={classes(css.panel, css[align], css[side], className)}
          onKeyDown={onKey}
          onBlur={(event) => {
            if (event.relatedTarget && !anchor.current?.contains(event.relatedTarget)) setOpen(false)
          }}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}

/** Least distance of a panel from the sides of the screen, in pixels. */
const edge = 8

/** Moves a panel that would be cut off at a side of the screen. */
function keepOnScreen(panel: HTMLElement): void {
  const { left, right } = panel.getBoundingClientRect()
  const back = Math.min(0, innerWidth - edge - right)
  const shift = left + back < edge ? edge - left : back
  if (shift !== 0) panel.style.translate = `${shift}px`
}

interface MenuItemProps {
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Set for a choice: says whether it is the chosen one. */
  checked?: boolean
  onClick: () => void
  children: ReactNode
}

/** A row of a menu. */
export function MenuItem({
  icon,
  danger = false,
  disabled = false,
  checked,
  onClick,
  children,
}: MenuItemProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: set only for the role that takes it
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      disabled={disabled}
      className={classes(css.item, danger && css.danger)}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
      {checked !== undefined && (
        <span className={css.check}>{checked && <Icon name="check" size={14} />}</span>
      )}
    </button>
  )
}

interface MenuLinkProps {
  href: string
  onClick: () => void
  children: ReactNode
}

/** A row of a menu that leads to a tab of its own. */
export function MenuLink({ href, onClick, children }: MenuLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener" role="menuitem" className={css.item} onClick={onClick}>
      {children}
    </a>
  )
}

export function MenuLine() {
  return <hr className={css.line} />
}

function focusables(within: HTMLElement | null): HTMLElement[] {
  return [...(within?.querySelectorAll<HTMLElement>('button:not(:disabled), a[href], input, select') ?? [])]
}
