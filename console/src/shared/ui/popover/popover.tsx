import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import type { TriggerElement } from '../menu/menu.tsx'
import type { Placement } from '../menu/menu-parts.ts'

/** The open part and its library, loaded when a popover is about to be opened. */
const PopoverPanel = lazyPart(
  () => import('./popover-panel.tsx').then((module) => module.PopoverPanel),
  'dialog',
)

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

  /** Esc while the panel is still being loaded or drawn: the focus is not in it yet. */
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
        onPointerEnter: PopoverPanel.preload,
        onFocus: PopoverPanel.preload,
        onKeyDown,
        'aria-haspopup': 'dialog',
        'aria-expanded': opener !== undefined,
      } as object)}
      {opener && (
        <PopoverPanel
          label={label}
          opener={opener}
          placement={placement}
          className={className}
          onClose={() => setOpener(undefined)}
        >
          {children}
        </PopoverPanel>
      )}
    </>
  )
}
