import { machines } from '@busbar/contract'
import type { ReactNode } from 'react'
import type { HeldDetail, Machine } from '../../../entities/machine/machine.ts'
import { formatExact, formatRelative, useText } from '../../../shared/i18n/index.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { FactList } from '../../../shared/ui/pane/fact-list.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { describeClock } from './clock-text.ts'
import { MachineLanguage } from './machine-language.tsx'
import { NetworkMark } from './network-mark.tsx'
import css from './pane-attributes.module.css'

/** Attributes that say how a machine is connected. */
const networkNames = ['network', 'signal', 'operator', 'ip', 'mac', 'gateway', 'hostname', 'iccid', 'imei']

/** A machine's connection, its clock, its attributes, and how its messages are read. */
export function PaneAttributes({ machine, detail }: { machine: Machine; detail: HeldDetail }) {
  const text = useText()
  const t = text.machines
  const { attributes } = detail
  const nameOf = (name: string) => t.attributes.names[name] ?? name
  const network = networkNames.filter((name) => attributes[name])
  const others = Object.keys(attributes)
    .filter((name) => attributes[name] && !networkNames.includes(name))
    .sort()
  const isKey = machine.level >= machines.limitAuthority.bkey
  return (
    <>
      <FactList title={text.facts.connection} facts={useConnectionFacts(detail)} />
      <ClockFact clock={detail.clock} />
      {network.length > 0 && (
        <FactList
          title={t.attributes.network}
          facts={network.map((name) => [
            nameOf(name),
            name === 'network' ? (
              <NetworkMark key={name} attributes={attributes} />
            ) : (
              <span key={name} className="mono">
                {attributes[name]}
              </span>
            ),
          ])}
        />
      )}
      {others.length > 0 && (
        <FactList
          title={t.attributes.machine}
          facts={others.map((name) => [nameOf(name), <span key={name}>{attributes[name]}</span>])}
        />
      )}
      {network.length + others.length === 0 && (
        <EmptyState icon="info" title={text.facts.none} hint={text.facts.noneHint} />
      )}
      {isKey && <MachineLanguage detail={detail} />}
    </>
  )
}

function useConnectionFacts({ connection }: HeldDetail): [name: string, value: ReactNode][] {
  const t = useText().facts
  const now = useNow(15_000)
  if (!connection) return [[t.connection, t.never]]
  const { protocol, address, startedAt, endedAt } = connection
  const begin = (
    <span key="begin" title={formatExact(startedAt)}>
      {formatRelative(startedAt, now)}
    </span>
  )
  return [
    [t.protocol, <span key="protocol">{protocol}</span>],
    [
      t.address,
      <span key="address" className="mono">
        {address}
      </span>,
    ],
    endedAt === null
      ? [t.since, begin]
      : [t.lastConnection, <span key="last">{t.until(formatExact(startedAt), formatExact(endedAt))}</span>],
  ]
}

/** The error of the machine's clock, and its effect on the data. */
function ClockFact({ clock }: { clock: HeldDetail['clock'] }) {
  const text = useText()
  const t = text.facts
  const now = useNow(60_000)
  const value = clock ? (
    <span title={formatExact(clock.at)}>
      {describeClock(clock.offsetMs, text)}
      <small className={css.seen}>{t.clockSeen(formatRelative(clock.at, now))}</small>
    </span>
  ) : (
    t.clockUnknown
  )
  return (
    <>
      <FactList title={t.clock} facts={[[t.clockOffset, value]]} />
      {clock?.believed === false && (
        <div className={css.warning} role="note">
          <Icon name="warning" size={16} />
          <div>
            <Text as="p" tone="warn" weight={550}>
              {t.clockWrong}
            </Text>
            <p>{t.clockWrongHint}</p>
          </div>
        </div>
      )}
    </>
  )
}
