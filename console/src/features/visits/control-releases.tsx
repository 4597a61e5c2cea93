import { visitIcons } from '../../entities/machine/visit-icons.ts'
import { useControl } from '../../entities/visit/visit-actions.ts'
import type { LiveVisit } from '../../entities/visit/visit-state.ts'
import { formatLeft } from '../../entities/visit/visit-time.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import css from './control-asks.module.css'

const tickMs = 1_000

/** Warns of own visits without an open page: their control is released soon unless the person keeps it. */
export function ControlReleases({ visits }: { visits: readonly LiveVisit[] }) {
  const t = useText().visits.releases
  const near = visits.filter((visit) => visit.controls && visit.releaseAt !== null)
  if (!near.length) return null
  return (
    <Stack as="section" gap={8} aria-label={t.label} aria-live="polite">
      {near.map((visit) => (
        <ReleaseCard key={visit.sessionId} visit={visit} releaseAt={visit.releaseAt ?? 0} />
      ))}
    </Stack>
  )
}

function ReleaseCard({ visit, releaseAt }: { visit: LiveVisit; releaseAt: number }) {
  const t = useText().visits.releases
  const now = useNow(tickMs)
  const control = useControl()
  return (
    <div className={css.card}>
      <span className={css.mark}>
        <Icon path={visitIcons.control} />
      </span>
      <p className={css.text}>
        {t.text(visit.machineName || '…')}{' '}
        <Text oneLine numbers role="timer">
          {formatLeft(releaseAt - now)}
        </Text>
      </p>
      <Row gap={8} align="stretch" justify="end" spans className={css.buttons}>
        <Button
          size="small"
          disabled={control.isPending}
          onClick={() => control.mutate({ visit, action: 'release' })}
        >
          {t.release}
        </Button>
        <Button
          size="small"
          kind="primary"
          busy={control.isPending}
          onClick={() => control.mutate({ visit, action: 'keep' })}
        >
          {t.keep}
        </Button>
      </Row>
    </div>
  )
}
