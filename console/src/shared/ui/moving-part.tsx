import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import css from './moving-part.module.css'

/** Keeps a part while its old place goes and its new one comes. It takes no space on the page. */
function parkingOf(page: Document): HTMLElement {
  const id = 'parking'
  const found = page.getElementById(id)
  if (found) return found
  const parking = page.createElement('div')
  parking.id = id
  return page.body.appendChild(parking)
}

/**
 * Moves an element with its focus and its open dialogs, if the browser supports it; elsewhere the dialogs
 * open again.
 */
function move(host: HTMLElement, parent: HTMLElement): void {
  if (host.isConnected && 'moveBefore' in parent) {
    parent.moveBefore(host, null)
    return
  }
  parent.append(host)
  for (const dialog of host.querySelectorAll('dialog')) {
    if (!dialog.open || dialog.matches(':modal')) continue
    dialog.close()
    dialog.showModal()
  }
}

/**
 * Renders a part once and moves it to its current place, so that entries, scroll positions and open dialogs
 * stay when a frame is replaced by another. Draw `place` inside the frame, and `part` after it.
 */
export function useMovingPart(children: ReactNode): { readonly place: ReactNode; readonly part: ReactNode } {
  const [host] = useState(() => {
    const element = document.createElement('div')
    element.className = css.part ?? ''
    return element
  })
  const [isPlaced, setPlaced] = useState(false)
  return {
    place: <Place host={host} onPlaced={() => setPlaced(true)} />,
    // A dialog can open only in the page: the part is rendered once its host is attached.
    part: isPlaced && createPortal(children, host),
  }
}

function Place({ host, onPlaced }: { host: HTMLElement; onPlaced: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const tell = useRef(onPlaced)
  useLayoutEffect(() => {
    if (!place.current) return
    move(host, place.current)
    tell.current()
    return () => move(host, parkingOf(document))
  }, [host])
  return <div ref={place} className={css.part} />
}
