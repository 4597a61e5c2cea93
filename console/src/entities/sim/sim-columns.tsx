import type { RequestOf, sims } from '@busbar/contract'
import {
  formatDate,
  formatDaysUntil,
  formatNumber,
  formatPercent,
  joinUnit,
} from '../../shared/i18n/index.ts'
import { fromWallField } from '../../shared/i18n/zone.ts'
import type { ListColumn } from '../../shared/resource/columns.tsx'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { formatMb, shareOf } from './format-usage.ts'
import { daysLeftChoices, usedPercentChoices } from './sim-choices.ts'
import { SimStateMark } from './sim-state.tsx'
import type { SimsText } from './sims-text.ts'
import { UsageBar } from './usage-bar.tsx'

type Row = sims.ListedCard
type Column = ListColumn<Row, RequestOf<typeof sims.listCards>>

const filter = (title: string, choices: readonly (readonly [value: string | number, word: string])[]) => ({
  title,
  choices: Object.fromEntries(choices),
  isInPanel: true,
})

/** The filters that every list of cards has beside that of states; one without choices is left out. */
export const simFilters = (
  t: SimsText,
  plans: readonly Pick<Row['plan'], 'planId' | 'name'>[],
  carriers: readonly string[],
) => ({
  ...(plans.length > 0 && {
    planId: filter(
      t.names.plan,
      plans.map(({ planId, name }) => [planId, name]),
    ),
  }),
  ...(carriers.length > 0 && {
    carrier: filter(
      t.names.carrier,
      carriers.map((name) => [name, name]),
    ),
  }),
  daysLeft: filter(
    t.list.daysLeft,
    daysLeftChoices.map((days) => [days, t.list.within(formatNumber(days))]),
  ),
  usedPercent: filter(
    t.list.usedPercent,
    usedPercentChoices.map((percent) => [percent, t.list.atLeast(joinUnit(formatNumber(percent), '%'))]),
  ),
})

/** The columns of every list of cards. */
export function simColumns(t: SimsText) {
  const { names } = t
  return {
    machine: {
      kind: 'name',
      title: names.device,
      value: ({ machineName, machineCode }) => machineName || machineCode,
      tags: ({ toldIccid }: Pick<Row, 'toldIccid'>) =>
        toldIccid !== null && <Tag tone="warn">{t.list.otherCard}</Tag>,
      order: 'machineName',
      width: 210,
    },
    state: {
      kind: 'state',
      title: names.state,
      value: 'state',
      words: t.states,
      filter: 'one',
      cell: ({ state }) => <SimStateMark state={state} />,
      minor: ({ stopReason }) => stopReason && t.reasons[stopReason].name,
      width: 150,
      rank: 1,
      card: 'half',
    },
    used: {
      kind: 'count',
      title: names.used,
      value: 'usedMb',
      order: 'usedMb',
      cell: (row) => <Used row={row} t={t} />,
      width: 170,
      rank: 2,
      card: 'half',
    },
    expireAt: {
      kind: 'time',
      title: names.expireAt,
      value: 'expireAt',
      as: 'day',
      endless: t.never,
      order: 'expireAt',
      minor: ({ expireAt }) => {
        if (expireAt === null) return null
        const now = Date.now()
        return expireAt < now ? t.ended : formatDaysUntil(expireAt, now)
      },
      width: 120,
      rank: 3,
    },
    plan: {
      kind: 'text',
      title: names.plan,
      value: ({ plan }) => plan.name,
      minor: ({ carrier }) => carrier,
      rank: 5,
    },
    asOf: {
      kind: 'time',
      title: names.asOf,
      value: 'asOf',
      as: 'ago',
      order: 'asOf',
      rank: 6,
    },
    iccid: {
      kind: 'text',
      title: names.iccid,
      value: 'iccid',
      csv: ({ iccid }) => ({ code: iccid }),
      order: 'iccid',
      cell: ({ iccid }) => <span className="mono">{iccid}</span>,
      width: 180,
      grow: 0,
      rank: 4,
      card: 'plain',
    },
    msisdn: {
      kind: 'text',
      title: names.msisdn,
      value: 'msisdn',
      csv: ({ msisdn }) => ({ code: msisdn }),
      rank: 8,
      card: 'none',
      isHiddenFirst: true,
    },
    code: {
      kind: 'text',
      title: t.list.code,
      value: 'machineCode',
      csv: ({ machineCode }) => ({ code: machineCode }),
      width: 190,
      rank: 9,
      card: 'none',
      isHiddenFirst: true,
    },
  } as const satisfies Record<string, Column>
}

/** Used of the plan as words and bar, with the day on which it will be used up. */
function Used({ row: { usedMb, plan, forecast }, t }: { row: Row; t: SimsText }) {
  if (usedMb === null) return <Text tone="quiet">{t.list.noFigure}</Text>
  const used = shareOf(usedMb, plan.totalMb)
  if (!used || plan.totalMb === null) return <span className="numbers">{t.usedOnly(formatMb(usedMb))}</span>
  const day = forecast && formatDate(fromWallField(forecast.at))
  return (
    <Stack gap={4} wide>
      <Text cut numbers size={12} data-tip={day ? t.list.usedUp(day) : undefined}>
        {t.usedOf(formatMb(usedMb), formatMb(plan.totalMb))}
        <Text tone={used.level === 'full' ? 'crit' : used.level === 'near' ? 'warn' : 'quiet'}>
          {` ${formatPercent(used.share, 0)}`}
        </Text>
      </Text>
      <UsageBar {...used} />
    </Stack>
  )
}
