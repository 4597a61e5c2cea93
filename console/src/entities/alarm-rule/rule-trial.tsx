import { alarmRules, type telemetry } from '@busbar/contract'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatMinute, formatNumber, type Text as Texts, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { TimeSpan } from '../../shared/ui/data/time-span.tsx'
import { TrendChart } from '../../shared/ui/data/trend-chart.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import form from './rule-form.module.css'
import { conditionProblems, type RuleInput, readRuleInput } from './rule-input.ts'
import { conditionLimits } from './rule-limits.ts'
import type { RuleTrial as Trial } from './rule-queries.ts'
import css from './rule-trial.module.css'
import { sayTime, type TagsById, tagIdsIn } from './rule-words.ts'
import { trialHistoryQuery, trialLines } from './trial-query.ts'

/** The most curves that can be told apart. */
const curvesMax = 4
/** The most that a person looks through. */
const spansShown = 50
/** The time shown on both sides of a span, as a share of its length, and its minimum. */
const besideShare = 0.5
const besideMinMs = 600_000

interface RuleTrialProps {
  machineId: number
  tags: readonly telemetry.Tag[]
  byId: TagsById
  values: RuleInput
}

interface Outcome {
  readonly trial: Trial
  /** The rule that was tried. */
  readonly rule: alarmRules.AlarmRuleFields
}

/** The fields that a trial depends on, without texts and levels. */
const key = ({ level: _, text: _text, instruction: _instruction, ...rest }: alarmRules.AlarmRuleFields) =>
  JSON.stringify(rest)

/** Runs a rule on the values of the last 30 days: how often it would have raised its alarm, and when. */
export function RuleTrial({ machineId, tags, byId, values }: RuleTrialProps) {
  const text = useText()
  const t = text.alarmRules.trial
  const [refused, setRefused] = useState<string>()
  const stop = useRef<AbortController>(null)
  const { mutate, data, isPending } = useMutation({
    mutationFn: async (rule: alarmRules.AlarmRuleFields): Promise<Outcome> => {
      stop.current = new AbortController()
      const { signal } = stop.current
      const trial = await call(alarmRules.tryAlarmRule, { machineId, ...rule }, { signal, noNotice: true })
      return { trial, rule }
    },
    onError: () => setRefused(stop.current?.signal.aborted ? t.stopped : t.failed),
  })
  const isComplete =
    Object.keys(conditionProblems(values, byId, text)).length === 0 &&
    [values.onDelay, values.offDelay].every(({ amount }) => /\d/.test(amount))

  function start() {
    setRefused(isComplete ? undefined : t.incomplete)
    // A rule whose texts are still missing is tried as well, because they have no effect here.
    const words = { cn: values.cn.trim() || '-', en: values.en.trim() || '-', instruction: '' }
    if (isComplete) mutate(readRuleInput({ ...values, ...words }, byId))
  }

  const now = isComplete ? { ...readRuleInput(values, byId) } : undefined
  const isStale = data !== undefined && (now === undefined || key(now) !== key(data.rule))
  return (
    <section className={form.section} aria-label={t.title} aria-busy={isPending}>
      <h3 className={form.title}>{t.title}</h3>
      <p className={form.hint}>{t.lead}</p>
      {isPending ? (
        <Row gap={10} wraps tone="soft" size={13} role="status">
          <progress className={css.progress} aria-label={t.running} />
          <span>{t.running}</span>
          <Button size="small" onClick={() => stop.current?.abort()}>
            {t.stop}
          </Button>
        </Row>
      ) : (
        <div>
          <Button icon="history" onClick={start}>
            {data ? t.again : t.start}
          </Button>
        </div>
      )}
      {refused && !isPending && (
        <p className={form.problem} role="alert">
          {refused}
        </p>
      )}
      {data && !isPending && (
        <>
          {isStale && (
            <p className={css.stale} role="status">
              {t.stale}
            </p>
          )}
          <TrialOutcome key={`${data.trial.to} ${key(data.rule)}`} {...{ machineId, tags }} tried={data} />
        </>
      )}
    </section>
  )
}

/** A time without the digits that make no difference: minutes from ten minutes on, hours from ten hours on. */
function roundTime(seconds: number): number {
  const step = seconds >= 36_000 ? 3_600 : seconds >= 600 ? 60 : 1
  return Math.max(1, Math.round(seconds / step) * step)
}

function sayOutcome({ trial: { count, samples }, rule }: Outcome, t: Texts['alarmRules']['trial']): string {
  if (count > 0) return t.count(formatNumber(count))
  if (samples > 0) return t.none
  return rule.kind === 'away' ? t.noConnection : t.noValues
}

type OutcomeProps = Omit<RuleTrialProps, 'values' | 'byId'> & { tried: Outcome }

function TrialOutcome({ machineId, tags, tried: { trial, rule } }: OutcomeProps) {
  const text = useText()
  const t = text.alarmRules.trial
  const whole = useMemo((): TimeRange => ({ from: trial.from, to: trial.to }), [trial])
  const [range, setRange] = useState(whole)
  const [, setCursor] = useState<number | null>(null)
  const shown = useMemo(() => {
    const ids = tagIdsIn(rule)
    return tags.filter((tag) => ids.includes(tag.tagId) && tag.type !== 'string').slice(0, curvesMax)
  }, [rule, tags])
  const past = useQuery({
    ...trialHistoryQuery(
      machineId,
      shown.map(({ tagId }) => tagId),
      range,
    ),
    enabled: shown.length > 0,
    placeholderData: keepPreviousData,
  })
  const lines = useMemo(() => {
    const limits = conditionLimits(rule, rule.level)
    if (!past.data) return []
    return trialLines(past.data, shown, (tagId) =>
      limits.filter((one) => one.tagId === tagId).map(({ limit }) => ({ ...limit, isWanted: true })),
    )
  }, [past.data, shown, rule])
  const spans = useMemo(
    () => trial.spans.map(([from, to]): TimeRange => ({ from, to: to ?? trial.to })),
    [trial],
  )
  const latest = trial.spans.slice(-spansShown).reverse()

  function show(from: number, to: number) {
    const beside = Math.max((to - from) * besideShare, besideMinMs)
    setRange({
      from: Math.max(from - beside, trial.from),
      to: Math.min(to + beside, trial.to),
    })
  }

  // The result appears below the visible part of the dialog, so it is scrolled into view.
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const names = shown.map(({ name, tag }) => name || tag).join(', ')
  return (
    <Stack ref={outcome} gap={12}>
      <Text as="p" size="16/22" weight={600} numbers className={css.count} role="status">
        {sayOutcome({ trial, rule }, t)}
      </Text>
      {trial.samples > 0 && (
        <Text as="p" tone="soft" size={12} className={css.count}>
          {rule.kind === 'away' ? t.judgedAway : t.judged}{' '}
          <TimeSpan from={trial.from} to={trial.to} hasLength />
        </Text>
      )}
      {shown.length > 0 && trial.samples > 0 && (
        <>
          <TrendChart
            label={t.chart(names)}
            lines={lines}
            range={past.data?.range ?? range}
            spans={spans}
            band
            height={220}
            busy={past.isPending || past.isPlaceholderData}
            onCursor={setCursor}
          />
          <Row as="p" gap="6 16" wraps tone="soft" size={12} className={css.legend}>
            {lines.some(({ ruleLimits = [] }) => ruleLimits.length > 0) && (
              <span className={css.limit}>{t.limit}</span>
            )}
            {lines.some(({ ruleLimits = [] }) => ruleLimits.some(({ at, back }) => at !== back)) && (
              <span className={css.deadband}>{t.deadband}</span>
            )}
            {spans.length > 0 && <span className={css.alarms}>{t.alarms}</span>}
            {range !== whole && (
              <Button size="small" onClick={() => setRange(whole)}>
                {t.all}
              </Button>
            )}
          </Row>
          {past.isError && !past.data && (
            <p className={form.problem} role="alert">
              {t.chartFailed}
            </p>
          )}
        </>
      )}
      {latest.length > 0 && (
        <ul className={css.spans} aria-label={t.spans}>
          {latest.map(([from, to]) => {
            const lasted = to === null ? t.standing : t.lasted(sayTime(roundTime((to - from) / 1_000), text))
            const said = (
              <>
                <time dateTime={new Date(from).toISOString()}>{formatMinute(from)}</time>
                <span>{lasted}</span>
              </>
            )
            return (
              <li key={from}>
                {shown.length > 0 ? (
                  <button type="button" onClick={() => show(from, to ?? trial.to)}>
                    {said}
                  </button>
                ) : (
                  <div className={css.plain}>{said}</div>
                )}
              </li>
            )
          })}
          {trial.count > latest.length && (
            <li className={css.others}>{t.others(formatNumber(trial.count - latest.length))}</li>
          )}
        </ul>
      )}
    </Stack>
  )
}
