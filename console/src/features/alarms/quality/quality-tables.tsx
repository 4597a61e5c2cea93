import { alarms } from '@busbar/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AlarmLevel } from '../../../entities/alarm/alarm.ts'
import type { AlarmQuality } from '../../../entities/alarm/alarm-queries.ts'
import { LevelGlyph } from '../../../entities/machine/level-badge.tsx'
import { formatMinute, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { TimeSpan } from '../../../shared/ui/data/time-span.tsx'
import { Grid, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './quality-page.module.css'

interface QualityTablesProps {
  quality: AlarmQuality
  /** 0 for the personal devices. */
  eid: number
}

const { floodPerTenMinutes, chatterTimes } = alarms.alarmTargets

/** The alarms to begin with: the most frequent ones, those that chatter, those that stand, and the floods. */
export function QualityTables({ quality, eid }: QualityTablesProps) {
  const t = useText().alarms.quality
  const { worst, chattering, chatteringCount, standing, standingCount, floods, floodsCount } = quality
  return (
    <Grid columns={2} gap={12} align="start" className={css.tables}>
      <Panel title={t.worst} none="" shown={worst.length} all={worst.length}>
        <thead>
          <tr>
            <th scope="col">{t.alarm}</th>
            <th scope="col" className={css.right}>
              {t.raised}
            </th>
            <th scope="col" className={css.right}>
              {t.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {worst.map((row) => (
            <tr key={row.alarmId}>
              <Named row={row} eid={eid} />
              <td className={css.right}>{formatNumber(row.raised)}</td>
              <td className={css.right}>{formatNumber(row.percent, 1)} %</td>
            </tr>
          ))}
        </tbody>
      </Panel>
      <Stack gap={12} shrinks>
        <Panel
          title={t.chattering}
          hint={t.chatteringHint(chatterTimes)}
          none={t.chatteringNone}
          shown={chattering.length}
          all={chatteringCount}
        >
          <thead>
            <tr>
              <th scope="col">{t.alarm}</th>
              <th scope="col" className={css.right}>
                {t.raised}
              </th>
              <th scope="col" className={css.right}>
                {t.minutePeak}
              </th>
            </tr>
          </thead>
          <tbody>
            {chattering.map((row) => (
              <tr key={row.alarmId}>
                <Named row={row} eid={eid} />
                <td className={css.right}>{formatNumber(row.raised)}</td>
                <td className={css.right}>{formatNumber(row.peak)}</td>
              </tr>
            ))}
          </tbody>
        </Panel>
        <Panel
          title={t.standing}
          hint={t.standingHint}
          none={t.standingNone}
          shown={standing.length}
          all={standingCount}
        >
          <thead>
            <tr>
              <th scope="col">{t.alarm}</th>
              <th scope="col" className={css.right}>
                {t.since}
              </th>
            </tr>
          </thead>
          <tbody>
            {standing.map((row) => (
              <tr key={row.alarmId}>
                <Named row={row} eid={eid} />
                <td className={css.right}>{formatMinute(row.raisedAt)}</td>
              </tr>
            ))}
          </tbody>
        </Panel>
        <Panel
          title={t.floods}
          hint={t.floodsHint(floodPerTenMinutes)}
          none={t.floodsNone}
          shown={floods.length}
          all={floodsCount}
        >
          <thead>
            <tr>
              <th scope="col">{t.floodSpan}</th>
              <th scope="col" className={css.right}>
                {t.raised}
              </th>
              <th scope="col" className={css.right}>
                {t.peak}
              </th>
            </tr>
          </thead>
          <tbody>
            {floods.map(({ from, to, raised, peak }) => (
              <tr key={from}>
                <td>
                  <TimeSpan from={from} to={to} />
                </td>
                <td className={css.right}>{formatNumber(raised)}</td>
                <td className={css.right}>{formatNumber(peak)}</td>
              </tr>
            ))}
          </tbody>
        </Panel>
      </Stack>
    </Grid>
  )
}

interface PanelProps {
  title: string
  hint?: string
  /** Shown if there are no rows. */
  none: string
  shown: number
  all: number
  children: ReactNode
}

function Panel({ title, hint, none, shown, all, children }: PanelProps) {
  const t = useText().alarms.quality
  return (
    <section className={css.panel}>
      <Row as="h2" below={6} gap="0 8" align="baseline" wraps size="14/20">
        {title}
        {hint && <span className={css.hint}>{hint}</span>}
      </Row>
      {shown === 0 ? (
        <Text as="p" tone="quiet">
          {none}
        </Text>
      ) : (
        <table className={css.table}>{children}</table>
      )}
      {shown > 0 && all > shown && (
        <p className={css.hint}>{t.more(formatNumber(shown), formatNumber(all))}</p>
      )}
    </section>
  )
}

interface NamedRow {
  readonly alarmId: number
  readonly level: AlarmLevel
  readonly text: string
  readonly key: string
  readonly machineName: string
}

/** An alarm as the head of its row; it leads to its page. */
function Named({ row, eid }: { row: NamedRow; eid: number }) {
  const { levels } = useText().machines.alarms
  return (
    <th scope="row">
      <Row as="span" gap={8} align="baseline">
        <LevelGlyph level={row.level} />
        <span className="sr-only">{levels[row.level]}</span>
        <Stack as="span" shrinks breaks>
          <Link to="/alarmCenter" search={{ eid, alarm: row.alarmId }} className={css.link}>
            {row.text || row.key}
          </Link>
          <span className={css.hint}>{row.machineName}</span>
        </Stack>
      </Row>
    </th>
  )
}
