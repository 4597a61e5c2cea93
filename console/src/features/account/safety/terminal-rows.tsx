import type { accounts } from '@busbar/contract'
import { formatDaysUntil, formatExact, formatMinute } from '../../../shared/i18n/format.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import type { IconName } from '../../../shared/ui/icon-paths.ts'
import { Box, Grid, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import css from './safety-page.module.css'

type Terminal = accounts.Terminal

const icons: Readonly<Record<number, IconName>> = { 1: 'desktop', 2: 'phone', 3: 'tv', 4: 'api' }
const hourMs = 3_600_000
const skeletonRows = 3

interface TerminalRowsProps {
  terminals: readonly Terminal[]
  onSignOut: (terminal: Terminal) => void
}

/** One row per terminal. The current one is marked, and signed out by the button in the header. */
export function TerminalRows({ terminals, onSignOut }: TerminalRowsProps) {
  const t = useText().safety
  const now = useNow(hourMs)
  return (
    <ul>
      {terminals.map((terminal) => (
        <Grid
          key={terminal.id}
          as="li"
          data-subject=""
          line="bottom"
          padX={16}
          gap={12}
          align="center"
          className={css.row}
        >
          <span className={css.icon}>
            <Icon name={icons[terminal.type] ?? 'desktop'} size={18} />
          </span>
          <Box shrinks className={css.terminal}>
            <Row as="p" gap={8} weight={600}>
              <span className="cut" title={terminal.name}>
                {terminal.name}
              </span>
              {terminal.current && <span className={css.current}>{t.current}</span>}
            </Row>
            <Text as="p" tone="quiet" size={11}>
              {t.types[terminal.type] ?? t.unknownType}
            </Text>
          </Box>
          <Box shrinks className={css.place}>
            <span className={css.caption}>{t.columns.place}</span>
            <p className="mono cut" title={terminal.ip}>
              {terminal.ip}
            </p>
            {terminal.place && (
              <Text as="p" tone="quiet" size={11}>
                {terminal.place}
              </Text>
            )}
          </Box>
          <div className="numbers">
            <span className={css.caption}>{t.columns.signedIn}</span>
            <time
              dateTime={new Date(terminal.loginTime).toISOString()}
              title={formatExact(terminal.loginTime)}
            >
              {formatMinute(terminal.loginTime)}
            </time>
          </div>
          <div className="numbers">
            <span className={css.caption}>{t.columns.expires}</span>
            <time
              dateTime={new Date(terminal.expiredTime).toISOString()}
              title={formatExact(terminal.expiredTime)}
            >
              {formatMinute(terminal.expiredTime)}
            </time>
            <Text as="p" tone="quiet" size={11}>
              {formatDaysUntil(terminal.expiredTime, now)}
            </Text>
          </div>
          <Row align="stretch" justify="end" className={css.action}>
            {!terminal.current && (
              <Button size="small" onClick={() => onSignOut(terminal)}>
                {t.signOut}
                <span className="sr-only">{terminal.name}</span>
              </Button>
            )}
          </Row>
        </Grid>
      ))}
    </ul>
  )
}

export function TerminalSkeletons() {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Grid key={place} as="li" line="bottom" padX={16} gap={12} align="center" className={css.row}>
          <Skeleton width={32} height={32} />
          <Skeleton width={160} />
          <Skeleton width={110} />
          <Skeleton width={120} />
          <Skeleton width={120} />
          <span />
        </Grid>
      ))}
    </ul>
  )
}
