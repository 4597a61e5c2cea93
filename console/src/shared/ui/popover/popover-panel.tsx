import { type ReactNode, useRef } from 'react'
import { Dialog, Popover } from 'react-aria-components/Popover'
import { flushSync } from 'react-dom'
import { classes } from '../classes.ts'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import type { Placement } from '../menu/menu-parts.ts'
import css from './popover.module.css'

interface PopoverPanelProps {
  label: string
  opener: HTMLElement
  placement: Placement
  onClose: () => void
  children: ReactNode | ((close: () => void) => ReactNode)
  className?: string | undefined
}

/** What lies open of a popover. */
export function PopoverPanel({ label, opener, placement, onClose, children, className }: PopoverPanelProps) {
  const at = useRef<HTMLElement>(opener)
  at.current = opener

  function close() {
    // Gone at once, and the focus back: a dialog that is opened next returns it where it found it.
    flushSync(onClose)
    opener.focus({ preventScroll: true })
  }

  return (
    <KitScope>
      <Popover
        className={panel.panel ?? ''}
        isOpen
        triggerRef={at}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement={placement}
        offset={6}
      >
        <Dialog aria-label={label} className={classes(css.body, className)}>
          {typeof children === 'function' ? children(close) : children}
        </Dialog>
      </Popover>
    </KitScope>
  )
}
