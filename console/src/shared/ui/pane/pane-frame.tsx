import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classes } from '../classes.ts'
import { isByKey } from '../last-input.ts'
import type { LayoutKind } from '../layout-kind.ts'
import { useMovingPart } from '../moving-part.tsx'
import css from './pane.module.css'

interface PaneFrameProps {
  layout: LayoutKind
  /** Over the list instead of beside it. */
  large?: boolean
  label: string
  onClose: () => void
  children: ReactNode
}

/** Beside the list on a wide screen; on a phone a sheet over everything, which keeps the focus. */
export function PaneFrame({ layout, large = false, label, onClose, children }: PaneFrameProps) {
  const { place, part } = useMovingPart(children)
  return (
    <>
      {layout === 'narrow' ? (
        <Sheet label={label} onClose={onClose}>
          {place}
        </Sheet>
      ) : (
        <Aside label={label} large={large}>
          {place}
        </Aside>
      )}
      {part}
    </>
  )
}

/** Opened by a key it takes the focus, and gives it back to the list. */
function Aside({ label, large, children }: { label: string; large: boolean; children: ReactNode }) {
  const aside = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const pane = aside.current
    const before = document.activeElement
    if (isByKey()) pane?.focus({ preventScroll: true })
    return () => {
      if (!pane?.contains(document.activeElement)) return
      const isKept = before instanceof HTMLElement && before !== document.body && before.isConnected
      const back = isKept ? before : document.querySelector<HTMLElement>('#content [role="grid"]')
      back?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside
      ref={aside}
      tabIndex={-1}
      className={classes(css.pane, css.aside, large && css.large)}
      aria-label={label}
      data-pane=""
    >
      {children}
    </aside>
  )
}

function Sheet({ label, onClose, children }: Omit<PaneFrameProps, 'layout' | 'large'>) {
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const root = document.getElementById('root')
    sheet.current?.focus()
    // The page below is out of reach while the sheet covers it.
    root?.setAttribute('inert', '')
    return () => {
      root?.removeAttribute('inert')
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])

  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return createPortal(
    // Not a dialog element, which would lie above the notices of the page.
    <div
      ref={sheet}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      tabIndex={-1}
      className={classes(css.pane, css.sheet)}
      data-pane=""
      onKeyDown={onKey}
    >
      {children}
    </div>,
    document.body,
  )
}
