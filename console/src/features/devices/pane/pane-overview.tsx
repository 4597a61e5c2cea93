import type { telemetry } from '@busbar/contract'
import type { ReactNode } from 'react'
import { LastSeen } from '../../../entities/machine/key-value.tsx'
import type { HeldDetail, Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { formatPercent, useText } from '../../../shared/i18n/index.ts'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { StateStripWide } from '../../../shared/ui/data/state-strip.tsx'
import { fineShare } from '../../../shared/ui/data/strip.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { FactList } from '../../../shared/ui/pane/fact-list.tsx'
import css from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { useShowAlarm } from '../history/use-show-alarm.ts'
import { EnterpriseSections } from './enterprise-sections.tsx'
import { LiveTrend } from './live-trend.tsx'
import { MyRight } from './my-right.tsx'
import { OpenAlarms } from './open-alarms.tsx'

interface PaneOverviewProps {
  /** Its row in the list, which the push keeps up to date. */
  row: Machine
  detail: HeldDetail
  tags: readonly telemetry.Tag[] | undefined
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

/** The overview: open alarms first, then live values, recent history and facts about the machine. */
export function PaneOverview({ row, detail, tags, chosen, onChoose }: PaneOverviewProps) {
  const t = useText().machines
  const now = useNow(60_000)
  const fine = fineShare([detail.strip24h])
  return (
    <>
      <OpenAlarms
        machineId={detail.id}
        alarms={detail.openAlarms}
        total={row.openAlarms}
        onShow={useShowAlarm()}
      />
      {tags ? (
        <LiveTrend machine={row} tags={tags} chosen={chosen} onChoose={onChoose} />
      ) : (
        <div className={css.section}>
          <Skeleton width={96} height={14} />
          <Skeleton height={260} className={css.skeletonBlock} />
        </div>
      )}
      <section className={css.section} aria-labelledby="strip-24h" data-subject="">
        <Row below={8} align="baseline" justify="between">
          <h3 id="strip-24h">{t.strip24.title}</h3>
          {fine !== null && (
            <Text tone="quiet" size={12} numbers className={css.sectionNote}>
              {t.strip24.fine} <b>{formatPercent(fine)}</b>
            </Text>
          )}
        </Row>
        <StateStripWide hours={detail.strip24h} now={now} />
      </section>
      {row.enterprise && <EnterpriseSections machine={row} />}
      <MyRight machineId={detail.id} cloudService={detail.cloudService} />
      <Facts row={row} detail={detail} />
    </>
  )
}

function Facts({ row, detail }: { row: Machine; detail: HeldDetail }) {
  const t = useText().machines
  const types = useMachineTypes()
  // In an enterprise's list its notes, otherwise the person's own.
  const { groups, remark } = row.enterprise ? row : detail
  const facts: [name: string, value: ReactNode][] = [
    [t.facts.code, <CopyCode key="code" code={detail.code} />],
    [t.facts.model, detail.model && <span className="mono">{detail.model}</span>],
    [t.facts.type, types.name(detail)],
    [t.facts.lastSeen, <LastSeen key="lastSeen" machine={row} />],
    [t.facts.group, groups.map((group) => group.name).join(', ')],
    [t.facts.remark, remark],
    [t.facts.address, detail.address],
    [
      t.facts.location,
      detail.lat !== null && detail.lng !== null && `${detail.lat.toFixed(4)}, ${detail.lng.toFixed(4)}`,
    ],
    [t.facts.checkType, t.facts.checkTypes[detail.checkType]],
    [t.facts.cloud, detail.cloudService ? t.facts.cloudOn : t.facts.cloudOff],
  ]
  return <FactList title={t.facts.title} facts={facts} />
}
