import { useEffect, useState } from 'react'
import { useStore } from '../../shared/api/store.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { dropUndo, undoable } from './undo.ts'
import css from './undo-bar.module.css'

const shownMs = 8_000

/** Says what was done and takes it back; stays while one is at it with mouse or keyboard. */
export function UndoBar() {
  const offer = useStore(undoable)
  const t = useText()
  const [held, hold] = useState(false)
  const key = offer?.key
  useEffect(() => {
    if (key === undefined || held) return
    const timer = setTimeout(() => dropUndo(key), shownMs)
    return () => clearTimeout(timer)
  }, [key, held])
  // What was done on this page cannot be taken back on another.
  useEffect(() => () => undoable.set(undefined), [])

  return (
    <div className={css.place} role="status">
      {offer && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps what is in it from leaving
        <div
          key={offer.key}
          className={css.bar}
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
        >
          <Icon name="check" />
          <span className={css.text}>{offer.text}</span>
          <button
            type="button"
            className={css.undo}
            onClick={() => {
              dropUndo(offer.key)
              hold(false)
              offer.run()
            }}
          >
            {t.access.undo.run}
          </button>
          <button
            type="button"
            className={css.close}
            aria-label={t.notices.dismiss}
            onClick={() => {
              dropUndo(offer.key)
              hold(false)
            }}
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      )}
    </div>
  )
}
