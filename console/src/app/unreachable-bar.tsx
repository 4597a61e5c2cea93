import { probeNow, useReachable } from '../api/reachability.ts'
import { useText } from '../i18n/language.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './unreachable-bar.module.css'

/** Shown while the platform does not answer; goes by itself when it is back. Floats, so that nothing moves. */
export function UnreachableBar() {
  const t = useText().app.unreachable
  if (useReachable()) return null
  return (
    <div className={css.bar} role="alert">
      <Icon name="offline" size={20} />
      <div>
        <p className={css.title}>{t.title}</p>
        <p className={css.body}>{t.body}</p>
      </div>
      <Button size="small" onClick={() => void probeNow()}>
        {t.retryNow}
      </Button>
    </div>
  )
}
