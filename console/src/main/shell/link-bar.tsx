import { useEffect, useRef, useState } from 'react'
import { push, usePushState } from '../../shared/api/live.ts'
import { probeNow, useReach } from '../../shared/api/reachability.ts'
import { formatClock } from '../../shared/i18n/format.ts'
import { useText } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import css from './link-bar.module.css'

/** A connection that is reopened immediately needs no notice. */
const lostShownAfterMs = 2_000

type Trouble = 'gone' | 'lost' | 'slow' | 'polling'

/**
 * Shown while the platform does not answer, answers slowly, sends no values, or has no live connection left
 * for this window. Shows the problem and the age of the data, and closes when it is over. It floats, also
 * above an open dialog, so that the page does not move.
 */
export function LinkBar() {
  const t = useText().app.link
  const [isRead, markRead] = useReadMark()
  const found = useTrouble()
  const trouble = found === 'polling' && isRead ? undefined : found
  const { heardAt } = usePushState()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!trouble) return
    const bar = box.current
    bar?.showPopover()
    return () => bar?.hidePopover()
  }, [trouble])
  const isOld = trouble === 'gone' || trouble === 'lost'
  const asOf = isOld && heardAt !== null ? formatClock(heardAt) : undefined
  return (
    <div ref={box} popover="manual" className={css.bar} role="alert" data-link-bar="">
      {trouble && (
        <>
          <Icon name={trouble === 'polling' ? 'info' : 'offline'} size={20} />
          <div>
            <Text as="p" weight={600}>
              {t[trouble].title}
            </Text>
            <Text as="p" tone="quiet" size="12/16">
              {asOf === undefined ? t[trouble].body : t.asOf(asOf, t[trouble].body)}
            </Text>
          </div>
          {trouble === 'polling' && (
            <Button size="small" onClick={markRead}>
              {t.gotIt}
            </Button>
          )}
          {isOld && (
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
  const { connection } = usePushState()
  const isLost = connection === 'lost'
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
  if (reach === 'slow') return 'slow'
  return connection === 'polling' ? 'polling' : undefined
}

/** Whether the notice that this window is not live was closed; it appears again after the window was live. */
function useReadMark(): [isRead: boolean, mark: () => void] {
  const { connection } = usePushState()
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    if (connection === 'live') setRead(false)
  }, [connection])
  return [isRead, () => setRead(true)]
}
