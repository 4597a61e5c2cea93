import { usePushState } from '../../shared/api/live.ts'
import { joinUnit } from '../../shared/i18n/format.ts'
import { useText } from '../../shared/i18n/language.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import css from './live-state.module.css'

/** Whether what is on screen is live, and how far away the platform is. */
export function LiveState({ dotOnly = false }: { dotOnly?: boolean }) {
  const { connection, latencyMs } = usePushState()
  const t = useText().app.live
  const latency = latencyMs === null ? '' : joinUnit(String(latencyMs), 'ms')
  return (
    <Row
      role="status"
      as="span"
      gap={6}
      inline
      tone="soft"
      size="12/16"
      oneLine
      numbers
      className={classes(connection !== 'live' && css[connection])}
      data-tip={t.hint[connection]}
    >
      <span className={css.dot} data-colour="" />
      <span className={dotOnly ? 'sr-only' : undefined}>{t[connection]}</span>
      {!dotOnly && latency && <span aria-hidden="true">{latency}</span>}
    </Row>
  )
}
