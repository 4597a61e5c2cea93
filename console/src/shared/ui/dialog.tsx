import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useText } from '../i18n/language.ts'
import { IconButton } from './button.tsx'
import css from './dialog.module.css'
import { isComposing } from './keys.ts'

interface DialogProps {
  title: string
  /** Esc, the cross, or a press beside it. Left out: it can only be answered. */
  onClose?: (() => void) | undefined
  children: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** Pixels on a wide screen; a phone gets a sheet at the bottom. */
  width?: number
}

/** A modal dialog on the browser's own: focus stays inside and returns, the rest of the page is inert. */
export function Dialog({ title, onClose, children, actions, width = 440 }: DialogProps) {
  const t = useText()
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before it leaves the page: a dialog that is gone can give the focus back to nobody.
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    // React set the focus while the dialog was still closed, which does nothing.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog?.close()
  }, [])

  // Not left to the browser: Chromium asks nobody where it sees no press since the dialog before, and closes at once.
  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    onClose?.()
  }

  return (
    <dialog
      ref={box}
      className={css.dialog}
      style={{ '--dialog-width': `${width}px` } as CSSProperties}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={onKey}
      onClick={(event) => event.target === event.currentTarget && isBackdrop(event) && onClose?.()}
    >
      <div className={css.head}>
        <h2 id={titleId} className={css.title}>
          {title}
        </h2>
        {onClose && <IconButton icon="close" label={t.app.close} onClick={onClose} />}
      </div>
      <div className={css.body}>{children}</div>
      {actions && <div className={css.actions}>{actions}</div>}
    </dialog>
  )
}

function isBackdrop({ clientX, clientY, currentTarget }: React.MouseEvent): boolean {
  const at = currentTarget.getBoundingClientRect()
  return clientX < at.left || clientX > at.right || clientY < at.top || clientY > at.bottom
}
