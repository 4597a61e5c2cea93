import type { MachineSummary } from '../../../entities/machine/machine-order.ts'
import { formatNumber, formatPercent, narrowSpace, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { displayStates } from '../../../shared/ui/data/display-state.ts'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Grid, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './machine-summary.module.css'
import type { MachineListView } from './use-machine-list.ts'

/** The list in one bordered row with hairlines; cells that do not fit are hidden. */
export function MachineSummaryStrip({
  summary,
  status,
}: {
  summary: MachineSummary
  status: MachineListView['status']
}) {
  const t = useText().machines
  const { states, worstStates, total, onlineShare, openAlarms } = summary
  const loading = status === 'loading'
  const isKnown = status === 'ready'
  const present = displayStates.filter((state) => worstStates[state] > 0)
  return (
    <section className={css.frame} aria-label={t.summary.label}>
      <Grid as="dl" surface="panel" className={css.strip}>
        <div className={classes(css.cell, css.total)}>
          <dt>{t.summary.total}</dt>
          <Row as="dd" gap={12} className={css.figureRow}>
            <Figure loading={loading}>
              {isKnown ? (
                formatNumber(total)
              ) : (
                <Text tone="quiet" weight={400}>
                  —
                </Text>
              )}
            </Figure>
            <span className={css.bar} aria-hidden="true" data-colour="">
              {present.map((state) => (
                <span key={state} className={css[state]} style={{ flexGrow: worstStates[state] }} />
              ))}
            </span>
          </Row>
          <Row as="dd" gap={14} align="stretch" tone="soft" size="12/16" className={css.legend}>
            {displayStates
              .filter((state) => state !== 'service' || states.service > 0)
              .map((state) => (
                <Row key={state} as="span" inline oneLine className={css.entry}>
                  <Glyph state={state} size={8} />
                  <span className={css.word}>{t.states[state]}</span>
                  <b>{isKnown && formatNumber(states[state])}</b>
                </Row>
              ))}
          </Row>
        </div>
        <Cell
          name={t.summary.online}
          loading={loading}
          figure={onlineShare === null ? null : formatPercent(onlineShare)}
          note={isKnown ? t.summary.onlineOf(formatNumber(total - states.offline), formatNumber(total)) : ''}
        />
        <Cell
          name={t.summary.alarms}
          loading={loading}
          figure={isKnown ? formatNumber(openAlarms) : null}
          alarming={states.alarm > 0}
          note={isKnown ? t.summary.alarmsOn(summary.machinesWithAlarms) : ''}
        />
        <Cell
          name={t.summary.fine}
          loading={loading}
          figure={summary.fineShare === null ? null : formatPercent(summary.fineShare)}
          note={t.summary.fineHint}
        />
      </Grid>
    </section>
  )
}

interface CellProps {
  name: string
  /** A number, with its unit behind a narrow space. */
  figure: string | null
  note: string
  loading: boolean
  alarming?: boolean
}

function Cell({ name, figure, note, loading, alarming = false }: CellProps) {
  const [number, unit] = (figure ?? '').split(narrowSpace)
  return (
    <div className={css.cell}>
      <dt>{name}</dt>
      <Row as="dd" gap={12} className={css.figureRow}>
        <Figure loading={loading} alarming={alarming}>
          {number || (
            <Text tone="quiet" weight={400}>
              —
            </Text>
          )}
          {unit && <span className={css.unit}>{`${narrowSpace}${unit}`}</span>}
        </Figure>
      </Row>
      <Text as="dd" tone="quiet" size="12/16" className={classes(css.note, 'cut')}>
        {note}
      </Text>
    </div>
  )
}

function Figure(props: { loading: boolean; alarming?: boolean; children: React.ReactNode }) {
  if (props.loading) return <Skeleton width={52} height={20} />
  return <span className={classes(css.figure, props.alarming && css.alarming)}>{props.children}</span>
}
