import { useEffect, useRef, useState } from 'react'
import { push, usePushState } from '../api/live.ts'
import { probeNow, useReach } from '../api/reachability.ts'
import { formatClock } from '../i18n/format.ts'
import { useText } from '../i18n/language.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './link-bar.module.css'

/** A connection that is opened anew at once is no news. */
const lostShownAfterMs = 2_000

type Trouble = 'gone' | 'lost' | 'slow'

/**
 * Shown while the platform does not answer, answers slowly, or sends no values: what is wrong, and how old what one
 * sees is. Goes by itself. Floats, above an open dialog too, so that nothing moves.
 */
export function LinkBar() {
  const t = useText().app.link
  const trouble = useTrouble()
  const { heardAt } = usePushState()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!trouble) return
    const bar = box.current
    bar?.showPopover()
    return () => bar?.hidePopover()
  }, [trouble])
  const asOf = trouble !== 'slow' && heardAt !== null ? t.asOf(formatClock(heardAt)) : ''
  return (
    <div ref={box} popover="manual" className={css.bar} role="alert">
      {trouble && (
        <>
          <Icon name="offline" size={20} />
          <div>
            <p className={css.title}>{t[trouble].title}</p>
            <p className={css.body}>{[asOf, t[trouble].body].filter(Boolean).join(' ')}</p>
          </div>
          {trouble !== 'slow' && (
            <Button
              size="small"
              onClick={() => {
                void probeNow()
                push.reconnectNow()
              }}
            >
              {t.retryNow}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function useTrouble(): Trouble | undefined {
  const reach = useReach()
  const isLost = usePushState().connection === 'lost'
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(() => setLong(true), lostShownAfterMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isLost])
  if (reach === 'gone') return 'gone'
  if (isLost && isLong) return 'lost'
  return reach === 'slow' ? 'slow' : undefined
}
