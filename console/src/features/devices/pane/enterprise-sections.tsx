import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { personnelQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { enterBlock } from '../../../entities/machine/enter-machine.ts'
import type { EnterpriseEntry, Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { formatDate, useText } from '../../../shared/i18n/index.ts'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { Box, Text } from '../../../shared/ui/layout/layout.tsx'
import { FactList } from '../../../shared/ui/pane/fact-list.tsx'
import css from '../../../shared/ui/pane/pane.module.css'
import { WindowLeft } from '../list/window-left.tsx'

/** The enterprise's view of a device: maintenance window, team, connection. */
export function EnterpriseSections({ machine }: { machine: Machine }): ReactNode {
  const { enterprise } = machine
  return enterprise && <Sections machine={machine} enterprise={enterprise} />
}

function Sections({ machine, enterprise }: { machine: Machine; enterprise: EnterpriseEntry }) {
  const { enterprises, visits, machines: words } = useText()
  const t = enterprises.devices
  const types = useMachineTypes()
  const { data: people } = useQuery(personnelQuery(enterprise.eid, machine.id))
  const isMaintained = enterprise.type === 2
  const hasRight = machine.level > machines.limitAuthority.ordinary
  const noted: [name: string, value: ReactNode][] = [
    [words.facts.code, <CopyCode key="code" code={machine.code} />],
    [words.facts.type, types.name(machine)],
    [words.facts.group, machine.groups.map(({ name }) => name).join(', ')],
    [words.facts.remark, machine.remark],
  ]
  const facts: [name: string, value: ReactNode][] = [
    ...(hasRight ? [] : noted),
    [t.attributes.ip, enterprise.ip && <span className="mono">{enterprise.ip}</span>],
    [t.attributes.iccid, enterprise.iccid && <span className="mono">{enterprise.iccid}</span>],
    [t.attributes.platform, enterprise.platform],
    [t.columns.added, <span key="added">{formatDate(enterprise.addedAt)}</span>],
  ]
  return (
    <>
      {!hasRight && (
        <p className={css.offline} role="status">
          {enterBlock(machine, visits.blocked)}
        </p>
      )}
      {isMaintained && (
        <Section title={t.columns.window}>
          <WindowLeft machine={machine} />
        </Section>
      )}
      <Section title={isMaintained ? t.maintainers : t.team}>
        <People people={isMaintained ? people?.maintainers : people?.managers} />
      </Section>
      <FactList title={t.facts} facts={facts} />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h3>{title}</h3>
      <Box above={8}>{children}</Box>
    </section>
  )
}

function People({ people }: { people: readonly { userId: number; name: string }[] | undefined }) {
  const t = useText().enterprises.devices
  return (
    <Text as="p" tone="soft" breaks>
      {people && (people.length === 0 ? t.nobody : people.map(({ name }) => name).join(' · '))}
    </Text>
  )
}
