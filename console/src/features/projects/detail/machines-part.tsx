import { projects } from '@busbar/contract'
import { enterAddress } from '../../../entities/machine/enter-machine.ts'
import type { ProjectMachine } from '../../../entities/project/project.ts'
import { projectMachinesQuery, projectsKey } from '../../../entities/project/project-queries.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { AddMachinesDialog } from './add-machines-dialog.tsx'
import { useDetailText } from './detail-text.ts'
import type { PartProps } from './part-props.ts'

type Link = ProjectMachine

/** The devices whose values go into a project: who stands for each, what it may do, and why its rows stopped. */
export function MachinesPart({ project }: PartProps) {
  const t = useDetailText().machines
  const { visits } = useText()
  const { id } = project
  const requestOf = ({ machineId }: Link) => ({ id, machineId })
  const stateOf = ({ stop, online, lastRowAt }: Link) =>
    stop ? t.stopped : !online ? t.offline : lastRowAt === null ? t.silent : t.reported
  return (
    <List
      id="project.machines"
      title={t.title}
      lead={t.lead}
      rows={whole(projectMachinesQuery(id))}
      rowKey="machineId"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', minor: ({ code }) => code, grow: 2 },
        state: {
          kind: 'text',
          value: stateOf,
          cell: (link) => (
            <Tag tone={link.stop ? 'bad' : stateOf(link) === t.reported ? 'good' : 'plain'}>
              {stateOf(link)}
            </Tag>
          ),
          minor: ({ stop }) => stop && t.stops[stop],
          width: 190,
          rank: 1,
        },
        last: { kind: 'time', value: 'lastRowAt', as: 'ago', rank: 2 },
        by: { kind: 'text', value: 'addedBy', rank: 4 },
        consents: {
          kind: 'text',
          value: (link) => consentsOf(link, t).join(', ') || t.noConsent,
          cell: (link) => {
            const given = consentsOf(link, t)
            if (given.length === 0) return t.noConsent
            return (
              <Row gap={4} wraps>
                {given.map((word) => (
                  <Tag key={word}>{word}</Tag>
                ))}
              </Row>
            )
          },
          rank: 3,
        },
        since: { kind: 'time', value: 'addedAt', as: 'day', rank: 5 },
      }}
      search={t.search}
      searched={({ code }) => [code]}
      isExported
      touched={[projectsKey]}
      add={{
        label: t.add,
        opens: (close) => <AddMachinesDialog project={project} onClose={close} />,
      }}
      acts={[
        {
          label: visits.enterShort,
          fits: ({ mayOpen, online }) => mayOpen && online,
          leads: ({ machineId }) => enterAddress(machineId),
        },
        {
          ...calls(projects.takeProjectMachineOver, requestOf),
          label: t.takeOver,
          fits: ({ stop }) => stop !== null,
          done: ({ name }) => t.takenOver(name),
        },
        {
          ...calls(projects.removeProjectMachine, requestOf),
          label: t.remove,
          icon: 'trash',
          of: ({ name }) => t.removeTitle(name),
          asks: {
            title: ({ name }) => t.removeTitle(name),
            many: t.removeMany,
            body: t.removeBody,
          },
          done: ({ name }) => t.removed(name),
          doneMany: t.removedMany,
        },
      ]}
      empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
    />
  )
}

function consentsOf({ mayWrite, mayVisit }: Link, t: { write: string; visit: string }): string[] {
  return [...(mayWrite ? [t.write] : []), ...(mayVisit ? [t.visit] : [])]
}
