import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatBytes, formatMinute, formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { overviewQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import type { MeasuredOverview } from './overview-rates.ts'
import css from './overview-section.module.css'
import type { BackOfficePart } from './search.ts'

const tones = { ok: 'plain', slow: 'warn', down: 'bad' } as const
const glyphs = { ok: 'online', slow: 'warning', down: 'alarm' } as const

/** Counts, load, queues and health. */
export function OverviewSection(): ReactNode {
  const all = useOperatorText()
  const { app } = useText()
  const query = useQuery(overviewQuery)
  const { data } = query
  if (query.isError && !data)
    return (
      <EmptyState icon="warning" title={all.failed} hint={all.failedHint}>
        <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {app.retry}
        </Button>
      </EmptyState>
    )
  if (!data) return <ShapeWait shape="detail" />
  return <Figures data={data} refreshing={query.isFetching} onRefresh={() => void query.refetch()} />
}

interface FiguresProps {
  data: MeasuredOverview
  refreshing: boolean
  onRefresh: () => void
}

function Figures({ data, refreshing, onRefresh }: FiguresProps) {
  const all = useOperatorText()
  const t = all.overview
  const { counts, load, rates } = data
  const loads: [string, string][] = [
    [t.loads.messages, rates ? t.perSecond(formatNumber(rates.messages, 1)) : '…'],
    [t.loads.samples, rates ? t.perSecond(formatNumber(rates.samples, 1)) : '…'],
    [t.loads.pushSockets, formatNumber(load.pushSockets)],
    [t.loads.tunnels, formatNumber(load.tunnels)],
    [t.loads.visits, formatNumber(load.visits)],
    [t.loads.requestsInFlight, formatNumber(load.requestsInFlight)],
    [t.loads.memory, formatBytes(load.memoryBytes)],
  ]
  return (
    <>
      <header className={css.head}>
        <div>
          <h2>{all.parts.overview}</h2>
          <p>
            {t.lead} · {t.since(formatMinute(data.startedAt), data.version)}
          </p>
        </div>
        <IconButton
          icon="refresh"
          label={useText().table.refresh}
          disabled={refreshing}
          onClick={onRefresh}
        />
      </header>
      <ul className={css.counts}>
        <Count part="machines" name={t.counts.machines} value={counts.machinesOnline}>
          {t.registered(formatNumber(counts.machines), formatNumber(counts.machinesOwned))}
        </Count>
        <Count part="users" name={t.counts.users} value={counts.users}>
          {t.people(formatNumber(counts.usersToday), formatNumber(counts.usersNew))}
        </Count>
        <Count part="enterprises" name={t.counts.enterprises} value={counts.enterprises} />
        <Count part="users" name={t.counts.operators} value={counts.operators} />
        <Count part="scada" name={t.counts.scada} value={counts.scadaOpen}>
          {counts.scadaLate > 0 ? (
            <Text tone="crit" weight={500}>
              {t.late(formatNumber(counts.scadaLate))}
            </Text>
          ) : (
            t.inTime
          )}
        </Count>
      </ul>
      <div className={css.panels}>
        <section className={css.panel}>
          <h3>{t.health}</h3>
          <ul>
            {data.health.map(({ part, state, value }) => (
              <li key={part}>
                <span>{t.parts[part]}</span>
                <Text tone="soft" oneLine numbers>
                  {t.values[part](formatNumber(value))}
                </Text>
                <Tag tone={tones[state]}>
                  <Glyph state={glyphs[state]} size={8} /> {t.states[state]}
                </Tag>
              </li>
            ))}
          </ul>
        </section>
        <section className={css.panel}>
          <h3>{t.load}</h3>
          <ul>
            {loads.map(([label, value]) => (
              <li key={label}>
                <span>{label}</span>
                <Text tone="soft" oneLine numbers>
                  {value}
                </Text>
              </li>
            ))}
          </ul>
        </section>
        <section className={css.panel}>
          <h3>{t.queues}</h3>
          <ul>
            {data.queues.map(({ name, length }) => (
              <li key={name}>
                <span>{t.queueNames[name] ?? name}</span>
                <Text tone="soft" oneLine numbers>
                  {formatNumber(length)}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

interface CountProps {
  /** The part that lists the counted things. */
  part: BackOfficePart
  name: string
  value: number
  /** Further facts about it. */
  children?: ReactNode
}

function Count({ part, name, value, children }: CountProps) {
  return (
    <li data-subject="">
      <Link to="/backManage" search={{ part }} className={css.count}>
        <span className={css.countName}>{name}</span>
        <Text size="21/28" weight={600} numbers>
          {formatNumber(value)}
        </Text>
        {children && <span className={css.more}>{children}</span>}
      </Link>
    </li>
  )
}
