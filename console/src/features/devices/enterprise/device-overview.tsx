import type { telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { personnelQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { mayEnter } from '../../../entities/machine/enter-machine.ts'
import type { HeldDetail } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { formatDate, useText } from '../../../shared/i18n/index.ts'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import css from '../../../shared/ui/pane/pane.module.css'
import { LiveTrend } from '../pane/live-trend.tsx'
import { OpenAlarms } from '../pane/open-alarms.tsx'
import { FactList } from '../pane/pane-overview.tsx'
import { MaintenanceSpan } from './device-columns.tsx'
import own from './device-pane.module.css'
import type { DevicePaneProps } from './device-pane-props.ts'

interface DeviceOverviewProps extends DevicePaneProps {
  /** Undefined for who may not enter the device. */
  detail: HeldDetail | undefined
  tags: readonly telemetry.Tag[] | undefined
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

/** What one wants to know first: what is wrong, what it does, when it may be entered, who looks after it, what it is. */
export function DeviceOverview(props: DeviceOverviewProps): ReactNode {
  const { eid, type, machine, detail, tags, chosen, onChoose } = props
  const text = useText()
  const t = text.enterprises.devices
  const types = useMachineTypes()
  const { data: people } = useQuery(personnelQuery(eid, machine.id))
  const facts: [name: string, value: ReactNode][] = [
    [t.attributes.code, <CopyCode key="code" code={machine.code} />],
    [t.attributes.type, types.name(machine)],
    [t.columns.model, machine.model && <span className="mono">{machine.model}</span>],
    [t.columns.group, machine.groups[0]?.name],
    [t.remark, machine.remark],
    [t.columns.address, machine.address],
    [t.attributes.ip, machine.enterprise?.ip && <span className="mono">{machine.enterprise?.ip}</span>],
    [
      t.attributes.iccid,
      machine.enterprise?.iccid && <span className="mono">{machine.enterprise?.iccid}</span>,
    ],
    [t.attributes.platform, machine.enterprise?.platform],
    [t.columns.lastSeen, machine.lastSeen !== null && <RelativeTime key="seen" at={machine.lastSeen} />],
    [t.columns.added, <span key="added">{formatDate(machine.enterprise?.addedAt ?? 0)}</span>],
  ]
  return (
    <>
      {!mayEnter(machine) && (
        <p className={css.offline} role="status">
          {machine.level > 0 || type === 2 ? t.closed : t.noRight}
        </p>
      )}
      {detail && <OpenAlarms alarms={detail.openAlarms} total={detail.openAlarms.length} />}
      {detail && tags && (
        <LiveTrend
          machineId={machine.id}
          online={machine.online}
          lastSeen={machine.lastSeen}
          tags={tags}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {type === 2 && (
        <Section title={t.columns.window}>
          <MaintenanceSpan machine={machine} />
        </Section>
      )}
      <Section title={type === 1 ? t.team : t.maintainers}>
        <People people={type === 1 ? people?.managers : people?.maintainers} />
      </Section>
      <FactList title={t.facts} facts={facts} />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h3>{title}</h3>
      <div className={own.below}>{children}</div>
    </section>
  )
}

function People({ people }: { people: readonly { userId: number; name: string }[] | undefined }) {
  const t = useText().enterprises.devices
  return (
    <p className={own.people}>
      {people && (people.length === 0 ? t.nobody : people.map(({ name }) => name).join(' · '))}
    </p>
  )
}
