import type { MachineSummary } from '../../../entities/machine/machine-order.ts'
import { formatNumber, formatPercent, narrowSpace, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { displayStates } from '../../../shared/ui/data/display-state.ts'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
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
  const { states, total, onlineShare, openAlarms } = summary
  const loading = status === 'loading'
  const isKnown = status === 'ready'
  const present = displayStates.filter((state) => states[state] > 0)
  return (
    <section className={css.frame} aria-label={t.summary.label}>
      <dl className={css.strip}>
        <div className={classes(css.cell, css.total)}>
          <dt>{t.summary.total}</dt>
          <dd className={css.figureRow}>
            <Figure loading={loading}>
              {isKnown ? formatNumber(total) : <span className={css.none}>—</span>}
            </Figure>
            <span className={css.bar} aria-hidden="true" data-colour="">
              {present.map((state) => (
                <span key={state} className={css[state]} style={{ flexGrow: states[state] }} />
              ))}
            </span>
          </dd>
          <dd className={css.legend}>
            {displayStates
              .filter((state) => state !== 'service' || states.service > 0)
              .map((state) => (
                <span key={state} className={css.entry}>
                  <Glyph state={state} size={8} />
                  <span className={css.word}>{t.states[state]}</span>
                  <b>{isKnown && formatNumber(states[state])}</b>
                </span>
              ))}
          </dd>
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
      </dl>
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
      <dd className={css.figureRow}>
        <Figure loading={loading} alarming={alarming}>
          {number || <span className={css.none}>—</span>}
          {unit && <span className={css.unit}>{`${narrowSpace}${unit}`}</span>}
        </Figure>
      </dd>
      <dd className={classes(css.note, 'cut')}>{note}</dd>
    </div>
  )
}

function Figure(props: { loading: boolean; alarming?: boolean; children: React.ReactNode }) {
  if (props.loading) return <Skeleton width={52} height={20} />
  return <span className={classes(css.figure, props.alarming && css.alarming)}>{props.children}</span>
}
