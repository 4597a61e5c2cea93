import type { sims } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  emptyMark,
  formatDate,
  formatDay,
  formatDaysUntil,
  formatMinute,
  formatPercent,
  useText,
} from '../../shared/i18n/index.ts'
import { fromWallField, startOfDay, toWallField } from '../../shared/i18n/zone.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { DayBars } from '../../shared/ui/data/day-bars.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Note, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { FactList } from '../../shared/ui/pane/fact-list.tsx'
import pane from '../../shared/ui/pane/pane.module.css'
import { Select } from '../../shared/ui/select/select.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { formatMb, shareOf } from './format-usage.ts'
import { type AskedCard, simCardQuery } from './sim-queries.ts'
import { SimStateMark } from './sim-state.tsx'
import { useSimsText } from './sims-text.ts'
import { UsageBar } from './usage-bar.tsx'

type Card = sims.SimCard

interface SimCardProps {
  /** The card that is shown first; a device with several has a choice among them. */
  asked: AskedCard
  /** Under the card: where it leads. */
  children?: ReactNode
}

/** A SIM card: its state with what to do, its usage and forecast, and its numbers. */
export function SimCard({ asked, children }: SimCardProps) {
  const { app } = useText()
  const t = useSimsText()
  const [chosen, choose] = useState<string>()
  const query = useQuery(simCardQuery(chosen === undefined ? asked : { iccid: chosen }))
  const { data: card } = query
  if (card === null) return <EmptyState icon="info" title={t.gone} hint={t.goneHint} />
  if (!card) {
    if (!query.isError) return <ShapeWait shape="detail" />
    return (
      <EmptyState icon="warning" title={t.loadFailed}>
        <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {app.retry}
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      {card.cards.length > 1 && (
        <Box pad="12 16" line="bottom">
          <Select
            label={t.which}
            choices={card.cards.map((iccid) => ({ value: iccid, label: iccid }))}
            value={card.iccid}
            onChange={choose}
          />
        </Box>
      )}
      <State card={card} />
      <Usage card={card} />
      <Days card={card} />
      <CardFacts card={card} />
      <Months card={card} />
      {children}
    </>
  )
}

/** The meaning of the state, or the reason why the carrier stopped the card, with the next step. */
function State({
  card: { state, stopReason, carrier, statusText, toldIccid, hasWrongCheckDigit },
}: CardProps) {
  const t = useSimsText()
  const { means, next } = stopReason ? t.reasons[stopReason] : t.meanings[state]
  return (
    <section className={pane.section} aria-label={t.names.state} data-subject="">
      <Row gap="4 10" align="baseline" wraps>
        <SimStateMark state={state} isLarge />
        {stopReason && <Text tone="soft">{t.stopped(t.reasons[stopReason].name)}</Text>}
      </Row>
      <Text as="p" above={6} pretty>
        {means}
      </Text>
      <Text as="p" above={4} tone="soft" pretty>
        {next}
      </Text>
      {statusText && (
        <Note above={6} breaks>
          {t.said(carrier, statusText)}
        </Note>
      )}
      {toldIccid !== null && (
        <Warning title={t.told}>
          <CopyCode code={toldIccid} />
          <Text as="p" tone="soft" pretty>
            {t.toldHint}
          </Text>
        </Warning>
      )}
      {hasWrongCheckDigit && <Warning title={t.checkDigit} />}
    </section>
  )
}

function Warning({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Row above={10} gap={8} align="start" role="note">
      <Text tone="warn" fixed>
        <Icon name="warning" size={16} />
      </Text>
      <Stack gap={4} align="start" shrinks>
        <Text as="p" tone="warn" pretty>
          {title}
        </Text>
        {children}
      </Stack>
    </Row>
  )
}

interface CardProps {
  card: Card
}

/** A day of the calendar as an instant of the zone on screen, and the other way. */
const at = (day: string) => fromWallField(day)
const dayText = (instant: number) => toWallField(instant).slice(0, 10)
const dayOf = (day: string) => formatDay(at(day))

/** Of the month: used and left, how old that is, and when it will be used up. */
function Usage({ card }: CardProps) {
  const t = useSimsText()
  const { usedMb, leftMb, plan, cycleFrom, cycleTo, forecast, asOf, failedAt } = card
  const used = shareOf(usedMb, plan.totalMb)
  const share = used && formatPercent(used.share, 0)
  return (
    <section className={pane.section} aria-labelledby="sim-month" data-subject="">
      <Row below={8} align="baseline" justify="between" gap={8}>
        <h3 id="sim-month">{t.month}</h3>
        <Text tone="quiet" size={12} numbers oneLine>
          {`${dayOf(cycleFrom)} – ${dayOf(cycleTo)}`}
        </Text>
      </Row>
      <Stack gap={6}>
        <Text as="p" size="16/22" weight={600} numbers>
          {usedMb === null
            ? t.usedUnknown
            : plan.totalMb === null
              ? t.usedOnly(formatMb(usedMb))
              : t.usedOf(formatMb(usedMb), formatMb(plan.totalMb))}
        </Text>
        {used && (
          <>
            <UsageBar {...used} />
            <Text
              as="p"
              size={12}
              numbers
              tone={used.level === 'full' ? 'crit' : used.level === 'near' ? 'warn' : 'soft'}
            >
              {used.level === 'full' ? t.over(share ?? '') : t.left(share ?? '', formatMb(leftMb ?? 0))}
            </Text>
          </>
        )}
        {forecast && (
          <Text as="p" pretty numbers>
            {forecast.latest === null
              ? t.forecastOpen(dayOf(forecast.at), dayOf(forecast.earliest))
              : t.forecast(dayOf(forecast.at), dayOf(forecast.earliest), dayOf(forecast.latest))}
          </Text>
        )}
        {failedAt === null ? (
          asOf !== null && <Note numbers>{t.asOf(formatMinute(asOf))}</Note>
        ) : (
          <FiguresOf asOf={asOf} failedAt={failedAt} />
        )}
      </Stack>
    </section>
  )
}

function FiguresOf({ asOf, failedAt }: { asOf: number | null; failedAt: number }) {
  const t = useSimsText()
  const since = formatMinute(failedAt)
  return (
    <Text as="p" tone="warn" size={12} pretty numbers>
      {asOf === null ? t.failedEmpty(since) : t.failed(formatMinute(asOf), since)}
    </Text>
  )
}

/** The days of this month of the plan, those without a figure empty. */
function Days({ card: { days, cycleFrom, cycleTo, asOf } }: CardProps) {
  const t = useSimsText()
  const amounts = new Map(days.map(({ day, mb }) => [day, mb]))
  const last = Math.min(at(cycleTo), Math.max(asOf ?? 0, ...days.map(({ day }) => at(day))))
  const bars: { from: number; amount: number; text: string }[] = []
  for (let from = at(cycleFrom); from <= last; from = startOfDay(from, 1)) {
    const amount = amounts.get(dayText(from)) ?? 0
    bars.push({ from, amount, text: formatMb(amount) })
  }
  const [first, ...others] = bars
  if (!first) return null
  const most = others.reduce((before, bar) => (bar.amount > before.amount ? bar : before), first)
  return (
    <section className={pane.section} aria-labelledby="sim-days" data-subject="">
      <Row below={8} gap={8} align="baseline" justify="between">
        <h3 id="sim-days">{t.days}</h3>
        {most.amount > 0 && (
          <Text tone="quiet" size={12} numbers oneLine>
            {t.most(formatDay(most.from), most.text)}
          </Text>
        )}
      </Row>
      <DayBars days={bars} tip={t.day} />
    </section>
  )
}

function CardFacts({ card }: CardProps) {
  const t = useSimsText()
  const now = useNow(60_000)
  const { plan, expireAt, activeAt, iccid, msisdn, carrier } = card
  const n = t.names
  return (
    <FactList
      title={t.facts}
      facts={[
        [n.iccid, <CopyCode key="iccid" code={iccid} />],
        [n.msisdn, msisdn && <CopyCode key="msisdn" code={msisdn} />],
        [n.plan, plan.name],
        [n.volume, plan.totalMb === null ? t.unlimited : formatMb(plan.totalMb)],
        [n.cycle, t.cycles[plan.cycle]],
        [
          n.expireAt,
          expireAt === null
            ? t.never
            : t.inDays(formatDate(expireAt), expireAt < now ? t.ended : formatDaysUntil(expireAt, now)),
        ],
        [n.carrier, carrier],
        [n.activeAt, activeAt === null ? emptyMark : formatDate(activeAt)],
      ]}
    />
  )
}

/** Months of the plan, the latest first. */
function Months({ card: { history, plan } }: CardProps) {
  const t = useSimsText()
  if (history.length === 0) return null
  const columns = t.monthColumns
  const months = [...history].sort((a, b) => (a.month < b.month ? 1 : -1))
  return (
    <section className={pane.section} aria-labelledby="sim-months" data-subject="">
      <Box below={8}>
        <h3 id="sim-months">{t.months}</h3>
      </Box>
      <table className="wide numbers" style={{ borderCollapse: 'collapse' }} aria-labelledby="sim-months">
        <thead>
          <tr>
            <Head>{columns.month}</Head>
            <Head isNumber>{columns.used}</Head>
            {plan.totalMb !== null && <Head isNumber>{columns.share}</Head>}
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, mb }) => (
            <tr key={month} className="line-top">
              <td className="padY-6">{month}</td>
              <td className="padY-6 to-end">{formatMb(mb)}</td>
              {plan.totalMb !== null && (
                <td className="padY-6 to-end">{formatPercent(mb / plan.totalMb, 0)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Head({ isNumber = false, children }: { isNumber?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className="padY-4" style={{ textAlign: isNumber ? 'end' : 'start' }}>
      <Text tone="quiet" size={12} weight={400}>
        {children}
      </Text>
    </th>
  )
}
