import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog, Popover } from 'react-aria-components/Popover'
import { flushSync } from 'react-dom'
import { classes } from '../classes.ts'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import { topDialog } from '../kit/top-dialog.ts'
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

/** The open part of a popover. */
export function PopoverPanel({ label, opener, placement, onClose, children, className }: PopoverPanelProps) {
  const at = useRef<HTMLElement>(opener)
  at.current = opener

  function close() {
    // Closes synchronously and returns the focus: a dialog opened next returns it to the same place.
    flushSync(onClose)
    opener.focus({ preventScroll: true })
  }

  // A pressed button that is disabled during its call loses the focus to the page, where the panel does not
  // receive Esc.
  const closeLatest = useRef(close)
  closeLatest.current = close
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !hasLostFocus()) return
      event.stopPropagation()
      closeLatest.current()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])

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

/** Whether no element has the focus, or one that hears no keys; a dialog above the panel handles its own. */
function hasLostFocus(): boolean {
  if (topDialog.get()) return false
  const { activeElement } = document
  return activeElement === null || activeElement.matches('body, :disabled')
}
