import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { classes } from '../classes.ts'
import { Floating } from '../kit/floating.tsx'
import type { Placement } from '../kit/place-beside.ts'
import type { TriggerElement } from '../menu/menu.tsx'
import css from './popover.module.css'

interface PopoverProps {
  /** Its name for screen readers. */
  label: string
  /** The button that opens it. */
  trigger: TriggerElement
  children: ReactNode | ((close: () => void) => ReactNode)
  placement?: Placement
  className?: string | undefined
}

/**
 * A small panel at its button, on the side with space. Esc and a press elsewhere close it; the focus returns
 * to the button.
 */
export function Popover({ label, trigger, children, placement = 'bottom start', className }: PopoverProps) {
  const [opener, setOpener] = useState<HTMLElement>()

  /** Esc while the focus is not in the panel. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !opener) return
    event.preventDefault()
    event.stopPropagation()
    setOpener(undefined)
  }

  return (
    <>
      {cloneElement(trigger, {
        onClick: (event: MouseEvent<HTMLElement>) => setOpener(event.currentTarget),
        onKeyDown,
        'aria-haspopup': 'dialog',
        'aria-expanded': opener !== undefined,
      } as object)}
      {opener && (
        <Floating
          role="dialog"
          label={label}
          opener={opener}
          placement={placement}
          className={classes(css.body, className)}
          onClose={() => setOpener(undefined)}
        >
          {children}
        </Floating>
      )}
    </>
  )
}
