import { platformAlarms, type telemetry } from '@busbar/contract'
import type { AlarmDetail } from '../../../entities/alarm/alarm-queries.ts'
import { formatExact, useText } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { Grid } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { useNow } from '../../../shared/ui/use-now.ts'

/** The routes of places come with it. */
const MovedPlaces = lazyPart(() => import('./moved-places.tsx').then((module) => module.MovedPlaces))
const tickMs = 10_000

/** The facts of an alarm; those that are missing are left out. */
export function AlarmFacts({ alarm }: { alarm: AlarmDetail }) {
  const text = useText()
  const { alarms: words } = text
  const t = words.page
  const now = useNow(tickMs)
  const say = (value: AlarmDetail['value']) => {
    if (value === null) return ''
    const said = formatTagValue(
      value as telemetry.TagValue,
      { unit: alarm.unit, scale: null },
      text.machines.bool,
    )
    return said.unit ? `${said.text} ${said.unit}` : said.text
  }
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [words.list.columns.machine, alarm.machineName],
    [text.messages.facts.code, <CopyCode key="code" code={alarm.machineCode} />],
    [t.raisedAt, formatExact(alarm.raisedAt)],
    [t.clearedAt, alarm.clearedAt === null ? '' : formatExact(alarm.clearedAt)],
    [words.list.columns.lasted, formatLasts((alarm.clearedAt ?? now) - alarm.raisedAt)],
    [t.tag, [alarm.group, alarm.tag].filter(Boolean).join(' / ')],
    [t.value, say(alarm.value)],
    [t.limit, say(alarm.limit)],
    [
      t.confirmed,
      alarm.confirmedAt === null
        ? ''
        : t.confirmedBy(alarm.confirmedBy ?? t.someone, formatExact(alarm.confirmedAt)),
    ],
    [t.note, alarm.note],
    [t.source, alarm.ruleId === null ? t.own : t.ofRule],
    // The key of a rule's alarm is a number of the platform; its text is the rule's.
    [t.key, alarm.ruleId === null ? alarm.key : ''],
  ]
  return (
    <section className={`${pane.section} ${pane.known}`} data-subject="" aria-label={t.facts}>
      <h3>{t.facts}</h3>
      {alarm.key === platformAlarms.moved.key && alarm.clearedAt === null && (
        <MovedPlaces machineId={alarm.machineId} />
      )}
      <Grid as="dl" above={10} columns={2} gap="10 16" className={pane.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </Grid>
    </section>
  )
}
